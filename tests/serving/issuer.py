"""An authorization server on a socket of the test process, with keys and tokens."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

AUDIENCE = "https://mail.example/mcp"
OURS = rsa.generate_private_key(public_exponent=65537, key_size=2048)
THEIRS = rsa.generate_private_key(public_exponent=65537, key_size=2048)
CURVE = ec.generate_private_key(ec.SECP256R1())


def public(key: Any, name: str, **more: str) -> dict[str, Any]:
    algorithm = RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else ECAlgorithm
    return {**algorithm.to_jwk(key.public_key(), as_dict=True), "kid": name, **more}


class Issuer:
    """An authorization server on a socket of this process."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.forms: list[dict[str, list[str]]] = []
        self.headers: list[Any] = []
        self.keys = [
            public(OURS, "ours"),
            public(CURVE, "curve", use="sig"),
            public(THEIRS, "secrecy", use="enc"),
            public(THEIRS, "other", alg="RS512"),
        ]
        self.claims: Any = {}
        self.status = 200
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuer.paths.append(self.path)
                documents = {
                    "/.well-known/oauth-authorization-server": {
                        "issuer": issuer.url,
                        "jwks_uri": f"{issuer.url}/keys",
                        "introspection_endpoint": f"{issuer.url}/introspect",
                        "authorization_endpoint": f"{issuer.url}/authorize",
                        "token_endpoint": f"{issuer.url}/token",
                        "registration_endpoint": f"{issuer.url}/register",
                        "response_types_supported": ["code"],
                        "code_challenge_methods_supported": ["S256"],
                    },
                    "/keys": {"keys": issuer.keys},
                    "/theirs": {"keys": [public(THEIRS, "theirs")]},
                }
                self.answer(documents.get(self.path))

            def do_POST(self) -> None:
                issuer.paths.append(self.path)
                issuer.headers.append(self.headers)
                length = int(self.headers["content-length"])
                body = self.rfile.read(length).decode()
                if self.path == "/register":
                    self.answer({**json.loads(body), "client_id": "app"})
                    return
                form = parse_qs(body)
                issuer.forms.append(form)
                self.answer(issuer.token(form) if self.path == "/token" else issuer.claims)

            def answer(self, document: Any) -> None:
                body = json.dumps(document).encode()
                self.send_response(issuer.status if document is not None else 404)
                self.send_header("content-length", str(len(body)))
                self.send_header("set-cookie", "session=first")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.asked: list[dict[str, str]] = []
        self.granted = ""
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def authorize(self, url: str, granted: str) -> str:
        """Grant scopes to a client that sends its user to a URL; return the state to send back."""
        assert url.startswith(f"{self.url}/authorize?")
        asked = {name: each for name, (each,) in parse_qs(urlsplit(url).query).items()}
        self.asked.append(asked)
        self.granted = granted
        return asked["state"]

    def token(self, form: dict[str, list[str]]) -> dict[str, Any]:
        """Return a token for a code, or one of a service in exchange for one of a caller."""
        if "subject_token" in form:
            assert form["grant_type"] == ["urn:ietf:params:oauth:grant-type:token-exchange"]
            return {"access_token": f"{form['audience'][0]} for {form['subject_token'][0]}"}
        token = signed(self, aud=form["resource"], scope=self.granted)
        return {"access_token": token, "token_type": "Bearer", "scope": self.granted}


def claims(issuer: Issuer, **more: Any) -> dict[str, Any]:
    whole = {"iss": issuer.url, "aud": AUDIENCE, "sub": "ann", "client_id": "app"}
    whole |= {"exp": int(time.time()) + 600, "scope": "mail:read", **more}
    return {name: each for name, each in whole.items() if each is not None}


def signed(issuer: Issuer, key: Any = OURS, head: Any = None, **more: Any) -> str:
    head = {"kid": "ours", **(head or {})}
    return jwt.encode(claims(issuer, **more), key, head.pop("alg", "RS256"), head)
