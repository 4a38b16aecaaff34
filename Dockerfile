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

# Its version, for the label; .github/CHANGELOG.md has them, and the build stops where the program says another one.
ARG VERSION=0.2.0

FROM swift:6.3.1-bookworm AS build
ARG VERSION
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
        /out/callboard \
    && test "$(/out/callboard --version)" = "$VERSION"

FROM debian:12.12-slim AS run
ARG VERSION
# Where it comes from and what it was made of: --build-arg SOURCE=… REVISION="$(git rev-parse HEAD)" CREATED="$(date -u +%FT%TZ)"
ARG SOURCE="" REVISION="" CREATED=""
LABEL org.opencontainers.image.title="Callboard" \
      org.opencontainers.image.description="A server for live lists" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="$SOURCE" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED" \
      org.opencontainers.image.base.name="docker.io/library/debian:12.12-slim"
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
COPY LICENSE Config/packaging/copyright /usr/share/doc/callboard/

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
# It asks where the environment and the settings file of CALLBOARD_CONFIG say that the server listens, in the clear or over TLS.
# A port that is given as a flag of "serve" has to be given here as well, with "docker run --health-cmd".
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 CMD ["/usr/local/bin/callboard", "health"]

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
ENV CALLBOARD_AUTH_MODE=required CALLBOARD_SERVER_HOST=0.0.0.0
ENTRYPOINT ["/usr/local/bin/callboard"]
CMD ["serve"]
