"""Authorities and certificates, as another library makes them."""

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

DAY = datetime.timedelta(days=1)


def key_text(key, passphrase: str | None = None) -> bytes:
    """A private key, PEM."""
    secret = (serialization.BestAvailableEncryption(passphrase.encode()) if passphrase
              else serialization.NoEncryption())
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, secret)


def general_name(text: str) -> x509.GeneralName:
    """An address, a URI, or else a host's name."""
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.UniformResourceIdentifier(text) if ":" in text else x509.DNSName(text)


class Authority:
    """An authority of the test's own, whose certificate is in `path`."""

    def __init__(self, folder: Path, name: str = "Test authority"):
        self.folder, self.name = folder, x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        self.key = ec.generate_private_key(ec.SECP256R1())
        made = self._builder(self.name, self.key).add_extension(x509.BasicConstraints(True, 0), True)
        self.certificate = made.sign(self.key, hashes.SHA256())
        self.path = folder / f"{name.replace(' ', '-')}.pem"
        self.path.write_bytes(self.certificate.public_bytes(serialization.Encoding.PEM))

    def _builder(self, subject, key, lasts: datetime.timedelta = 30 * DAY) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.UTC)
        return (
            x509.CertificateBuilder().subject_name(subject).issuer_name(self.name).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - 2 * DAY).not_valid_after(now + lasts))

    def issue(self, *names: str, file: str = "server", lasts: datetime.timedelta = 30 * DAY,
              passphrase: str | None = None, uses: tuple = ()) -> tuple[Path, Path]:
        """A certificate and its key in two files, for hosts' names, addresses and URIs, and for these extended uses."""
        key = ec.generate_private_key(ec.SECP256R1())
        alternatives = [general_name(name) for name in names]
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, names[0])])
        builder = self._builder(subject, key, lasts).add_extension(x509.SubjectAlternativeName(alternatives), False)
        if uses:
            builder = builder.add_extension(x509.ExtendedKeyUsage(uses), False)
        made = builder.sign(self.key, hashes.SHA256())
        chain, secret = self.folder / f"{file}.pem", self.folder / f"{file}-key.pem"
        chain.write_bytes(made.public_bytes(serialization.Encoding.PEM))
        secret.touch(0o600)
        secret.write_bytes(key_text(key, passphrase))
        return chain, secret
