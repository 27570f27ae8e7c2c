"""The certificates of one site: an authority of its own, and a name for everybody who speaks to the broker.

A unit is known by the common name of its certificate and by nothing else; the broker's access list is written in those
names (`secured_broker.py`). The authority signs the broker's certificate too, so that nobody believes another broker.
Keys are on the curve P-256; names are checked as RFC 9525 has it, by subject alternative names.

A lost or stolen unit is revoked: its certificate is entered into a list (RFC 5280, section 5) that the broker reads at
its start, and a new one may be made under the same name.

A Raspberry Pi keeps no time without power and may start years back (systemd goes on from the last start it knows), so
certificates are valid from long before they are made.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from deploy.errors import WrongUse

AUTHORITY, BROKER, REVOKED = "authority", "broker", "revoked"
VALID_FROM = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
VALID_DAYS = 20 * 365        # a site is renewed before; there is no clock to trust an earlier end to
PRIVATE = 0o600


class Authority:
    """Signs for one site. Its files lie in `folder`: `NAME.pem` and `NAME.key` for every name, `revoked.pem`."""

    def __init__(self, folder: Path, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
        self._folder = folder
        self._certificate = certificate
        self._key = key

    @classmethod
    def at(cls, folder: Path, site: str) -> Self:
        """The authority in `folder`, made with its empty list if there is none. Raises WrongUse, OSError."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if (folder / f"{AUTHORITY}.key").exists():
            return cls(folder, _certificate(folder / f"{AUTHORITY}.pem"), _key(folder / f"{AUTHORITY}.key"))
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"bottone {site}")])
        built = (
            _begun(name, name, key.public_key())
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs=True), critical=True)
            .sign(key, hashes.SHA256())
        )
        made = cls(folder, built, key)
        made._write(AUTHORITY, built, key)
        made._write_revoked([])
        return made

    def make_client(self, name: str) -> bool:
        """A certificate for a unit, a wall clock or the hub. False: there is one under this name, and it stays."""
        if (self._folder / f"{name}.pem").exists():
            return False
        self._issue(name, ExtendedKeyUsageOID.CLIENT_AUTH, [x509.DNSName(name)])
        return True

    def make_broker(self, hosts: Iterable[str]) -> bool:
        """The broker's certificate, for the names and addresses it is called by. False: it has it already."""
        names = [_host(host) for host in dict.fromkeys(hosts)]
        path = self._folder / f"{BROKER}.pem"
        if path.exists():
            had = _certificate(path).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
            if not names or set(had) == set(names):
                return False
        if not names:
            raise WrongUse("name the broker's machine as the tables call it: --host bottone.local --host 192.168.1.10")
        self._issue(BROKER, ExtendedKeyUsageOID.SERVER_AUTH, names)
        return True

    def revoke(self, name: str) -> None:
        """From the broker's next start on this certificate is refused; its files are put aside. Raises WrongUse."""
        path = self._folder / f"{name}.pem"
        if not path.exists():
            raise WrongUse(f"{path}: there is no certificate of {name} to revoke")
        serial = _certificate(path).serial_number
        self._write_revoked([*self.revoked(), serial])
        for file in (path, path.with_suffix(".key")):
            file.rename(file.with_name(f"{name}.revoked-{serial:x}{file.suffix}"))

    def revoked(self) -> list[int]:
        """Serial numbers of the certificates that are refused."""
        listed = x509.load_pem_x509_crl((self._folder / f"{REVOKED}.pem").read_bytes())
        return [entry.serial_number for entry in listed]

    # --- inside

    def _issue(self, name: str, purpose: x509.ObjectIdentifier, names: list[x509.GeneralName]) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        built = (
            _begun(subject, self._certificate.subject, key.public_key())
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(signer, critical=False)
            .sign(self._key, hashes.SHA256())
        )
        self._write(name, built, key)

    def _write(self, name: str, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
        form = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        _put(self._folder / f"{name}.key", key.private_bytes(serialization.Encoding.PEM, *form), PRIVATE)
        _put(self._folder / f"{name}.pem", certificate.public_bytes(serialization.Encoding.PEM), 0o644)

    def _write_revoked(self, serials: list[int]) -> None:
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self._certificate.subject)
            .last_update(VALID_FROM)
            .next_update(VALID_FROM + dt.timedelta(days=VALID_DAYS))
        )
        for serial in serials:
            entry = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(VALID_FROM).build()
            builder = builder.add_revoked_certificate(entry)
        listed = builder.sign(self._key, hashes.SHA256())
        _put(self._folder / f"{REVOKED}.pem", listed.public_bytes(serialization.Encoding.PEM), 0o644)


def name_in(path: str | Path) -> str:
    """The common name in a certificate's file: whom the broker takes its owner for. Raises WrongUse, OSError."""
    names = _certificate(Path(path)).subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    if len(names) != 1:
        raise WrongUse(f"{path}: {len(names)} common names; a certificate of ours has one")
    return str(names[0].value)


def _begun(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(VALID_FROM)
        .not_valid_after(VALID_FROM + dt.timedelta(days=VALID_DAYS))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs, key_cert_sign=signs, crl_sign=signs, content_commitment=False,
        key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _certificate(path: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except ValueError as trouble:
        raise WrongUse(f"{path}: no certificate in PEM ({trouble}); was it copied whole?") from None


def _key(path: Path) -> ec.EllipticCurvePrivateKey:
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError) as trouble:
        raise WrongUse(f"{path}: no private key in PEM ({trouble}); was it copied whole?") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise WrongUse(f"{path}: a key of another kind; `bottone certificates` makes keys on P-256")
    return key


def _put(path: Path, data: bytes, mode: int) -> None:
    """Writes a file whole or not at all; nobody else reads a key at any moment."""
    half = path.with_name(f"{path.name}.new")
    with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    half.rename(path)
