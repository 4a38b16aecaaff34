# syntax=docker/dockerfile:1
# Builds the server in one stage and runs it, without a toolchain, in another.
#
#   docker build -t callboard .
#   docker run --rm -p 127.0.0.1:8080:8080 -v callboard:/data callboard
#
# With TLS, for other machines: certificate.pem, with its chain, and key.pem are in a folder of the host that is mounted for
# reading, so that files that are replaced are seen. The server runs as user 990, and refuses a key that everybody can read:
# the key belongs to 990 with mode 600, or to root and group 990 with mode 640, and 990 may enter the folder.
#
#   docker run --rm -p 443:8080 -v callboard:/data -v /etc/callboard/tls:/tls:ro \
#       -e CALLBOARD_TLS_CERTIFICATE=/tls/certificate.pem -e CALLBOARD_TLS_KEY=/tls/key.pem callboard

FROM swift:6.3-bookworm AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
WORKDIR /src

# The system packages come from the one list that Config/setup uses too; once apt's lists are there, it prints them by the
# names that they have on this release. They change seldom, so they are a layer of their own, above the sources.
COPY Config/setup Config/common.sh Config/packages.txt Config/
RUN apt-get update \
    && Config/setup --list build | xargs apt-get install -y --no-install-recommends \
    && rm -rf /var/lib/apt/lists/*

# The Swift packages are fetched again only when the manifest changes.
COPY Package.swift ./
RUN swift package resolve

COPY Sources Sources
# The manifest names the test targets, so their folders have to be there; the image has none of them in the end.
COPY Tests Tests
RUN swift build --configuration release --product callboard --static-swift-stdlib \
    && install -D --strip "$(swift build --configuration release --static-swift-stdlib --show-bin-path)/callboard" \
        /out/callboard

FROM debian:bookworm-slim AS run
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
COPY Config/setup Config/common.sh Config/packages.txt /tmp/Config/
RUN apt-get update \
    && /tmp/Config/setup --list run | xargs apt-get install -y --no-install-recommends \
    && rm -rf /var/lib/apt/lists/* /tmp/Config \
    && groupadd --system --gid 990 callboard \
    && useradd --system --uid 990 --gid callboard --home-dir /var/lib/callboard --create-home \
        --shell /usr/sbin/nologin callboard \
    && install -d -o callboard -g callboard -m 700 /data
COPY --from=build /out/callboard /usr/local/bin/callboard

# What the server holds. A named volume gets this folder's owner when it is first used; a folder of the host that is
# mounted here (-v /srv/callboard:/data) has to belong to user 990. It has to be on a local disk, and one container at a
# time has it. A backup can be made while the server runs:
#
#   docker exec CONTAINER callboard backup /data /tmp/backup.db && docker cp CONTAINER:/tmp/backup.db .
ENV CALLBOARD_DATA=/data
VOLUME /data

# Large lists are spread over much memory; with huge pages a change in a million elements takes 10 to 20 % less.
ENV GLIBC_TUNABLES=glibc.malloc.hugetlb=1

USER callboard
WORKDIR /var/lib/callboard
EXPOSE 8080
# The server ends its streams and exits with 0 on this signal.
STOPSIGNAL SIGTERM
# Its certificate need not be for the loopback address that it is asked at here. Where TLS is set up by a settings file, or
# each client has to show a certificate, say otherwise with "docker run --health-cmd".
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD curl --fail --silent --show-error --insecure --output /dev/null \
        "http${CALLBOARD_TLS_CERTIFICATE:+s}://127.0.0.1:8080/livez"

# Event hooks call nothing inside the network unless they are told which hosts they may, since a server that others can
# reach must not be made to reach for them. A receiver in a container beside this one is allowed by its name:
#
#   docker run ... -e CALLBOARD_HOOKS_ALLOW=receiver ... callboard
#
# By itself the server listens on the loopback address only, and inside a container nobody outside could reach that.
# So it listens on every address here, and asks for a token. The first start leaves one that allows everything in the
# volume; others, which allow less, are made with it:
#
#   docker exec CONTAINER cat /data/first-token
ENV CALLBOARD_AUTH_MODE=required
ENTRYPOINT ["/usr/local/bin/callboard"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080"]
