"""Private texts as the gateway seals them: AES-256-GCM with the key of an installation, bound to table, row and author.

`Sources/Vault/Texts` has the form. Messages that are written straight into a database are sealed with it, so that the
gateway opens them like its own. Python has no such cipher; the library of its own TLS does.
"""

import ctypes
import ctypes.util
import hashlib
import os
from pathlib import Path

from .processes import BenchmarkError

NONCE_BYTES, TAG_BYTES = 12, 16
LONGEST_BYTES = 65_536
# Names of OpenSSL's `evp.h`.
GET_TAG = 0x10


class TextSealer:
    def __init__(self, key_file: Path):
        """`key_file` has a key in each line, the one that seals first."""
        lines = [line.strip() for line in key_file.read_text().splitlines()]
        key = bytes.fromhex(next(line for line in lines if line and not line.startswith("#")))
        self.key_id = hashlib.sha256(b"backline text key" + key).digest()[:8].hex()
        self._crypto = library()
        self._context = self._crypto.EVP_CIPHER_CTX_new()
        # The cipher and the key are chosen once; each text then has a nonce of its own.
        self._begin(self._crypto.EVP_aes_256_gcm(), key, None)
        # Used again for each text, since making them takes longer than sealing.
        self._sealed = ctypes.create_string_buffer(LONGEST_BYTES)
        self._tag = ctypes.create_string_buffer(TAG_BYTES)
        self._length = ctypes.c_int()

    def seal(self, text: str, table: str, row: str, author: str) -> bytes:
        """The nonce, the ciphertext and the tag."""
        content, name = text.encode(), associated(table, row, author)
        if len(content) > LONGEST_BYTES:
            raise BenchmarkError(f"a text of {len(content):,} bytes is too long to be sealed")
        nonce = os.urandom(NONCE_BYTES)
        self._begin(None, None, nonce)
        crypto, context, length = self._crypto, self._context, ctypes.byref(self._length)
        # Without a place for the output, the input is authenticated only.
        succeeded = (
            crypto.EVP_EncryptUpdate(context, None, length, name, len(name))
            and crypto.EVP_EncryptUpdate(context, self._sealed, length, content, len(content))
            and crypto.EVP_EncryptFinal_ex(context, None, length)
            and crypto.EVP_CIPHER_CTX_ctrl(context, GET_TAG, TAG_BYTES, self._tag))
        if not succeeded:
            raise BenchmarkError("a text could not be sealed")
        return nonce + ctypes.string_at(self._sealed, len(content)) + self._tag.raw

    def _begin(self, cipher: int | None, key: bytes | None, nonce: bytes | None) -> None:
        if not self._crypto.EVP_EncryptInit_ex(self._context, cipher, None, key, nonce):
            raise BenchmarkError("the cipher AES-256-GCM is not available")


def associated(table: str, row: str, author: str) -> bytes:
    """Each part is prefixed with its length, so that no two places have the same bytes."""
    parts = (part.encode() for part in ("backline text 1", table, row, author))
    return b"".join(b"%d:%s" % (len(part), part) for part in parts)


def library() -> ctypes.CDLL:
    name = ctypes.util.find_library("crypto")
    if name is None:
        raise BenchmarkError("OpenSSL's libcrypto is missing, with which messages are sealed")
    crypto = ctypes.CDLL(name)
    pointer = ctypes.c_void_p
    crypto.EVP_CIPHER_CTX_new.restype = crypto.EVP_aes_256_gcm.restype = pointer
    crypto.EVP_EncryptInit_ex.argtypes = [pointer, pointer, pointer, ctypes.c_char_p, ctypes.c_char_p]
    crypto.EVP_EncryptUpdate.argtypes = [pointer, ctypes.c_char_p, pointer, ctypes.c_char_p, ctypes.c_int]
    crypto.EVP_EncryptFinal_ex.argtypes = [pointer, ctypes.c_char_p, pointer]
    crypto.EVP_CIPHER_CTX_ctrl.argtypes = [pointer, ctypes.c_int, ctypes.c_int, pointer]
    return crypto
