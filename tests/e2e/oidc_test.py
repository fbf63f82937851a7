"""Sign-in by an identity provider: a provider on loopback with real keys, tokens signed by openssl, a running server."""
import base64
import http.server
import json
import subprocess
import threading
import time
import unittest

from served_program import Served

CONFIG = """server:
  oidc:
    issuer: {issuer}
    audience: precedent
    roles: {{sre: editor, desk: user}}
    scopes:
      sre: {{}}
      desk: {{services: [ledger]}}
"""
RUNBOOK = """---
type: runbook
title: {title}
services: [{service}]
---
# {title}

## Steps

1. {step}
"""


def url64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Provider(http.server.ThreadingHTTPServer):
    """Publishes its document and its keys, and signs whatever it is asked to."""

    def __init__(self, folder):
        self.folder, self.keys, self.fetched, self.down = folder, {}, [], False
        super().__init__(("127.0.0.1", 0), Answers)
        self.issuer = f"http://127.0.0.1:{self.server_address[1]}/realm"
        self.rotate("first")
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def rotate(self, kid):
        key = self.folder / f"{kid}.pem"
        subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)
        modulus = subprocess.run(["openssl", "rsa", "-in", key, "-noout", "-modulus"], check=True, capture_output=True, text=True).stdout
        self.keys = {kid: {"kty": "RSA", "alg": "RS256", "use": "sig", "kid": kid, "e": "AQAB",
                           "n": url64(bytes.fromhex(modulus.strip().removeprefix("Modulus=")))}}
        self.kid = kid

    def token(self, kid=None, **claims):
        kid = kid or self.kid
        now = int(time.time())
        payload = {"iss": self.issuer, "aud": "precedent", "sub": "u-1", "email": "ana@example.com", "email_verified": True,
                   "groups": ["sre"], "iat": now, "exp": now + 300} | claims
        head = {"alg": "RS256", "typ": "JWT", "kid": kid}
        signed = ".".join(url64(json.dumps(part).encode()) for part in (head, payload))
        signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", self.folder / f"{kid}.pem"], input=signed.encode(),
                                   check=True, capture_output=True).stdout
        return f"{signed}.{url64(signature)}"


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.fetched.append(self.path)
        issuer = self.server.issuer
        body = {"/realm/.well-known/openid-configuration": {"issuer": issuer, "jwks_uri": f"{issuer}/keys"},
                "/realm/keys": {"keys": list(self.server.keys.values())}}.get(self.path)
        text = json.dumps(body).encode()
        self.send_response(503 if self.server.down else 404 if body is None else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


class Oidc(Served):
    documents = {"payroll.md": RUNBOOK.format(title="Rotate the payroll key", service="payroll", step="Press the violet button."),
                 "ledger.md": RUNBOOK.format(title="Restart the ledger", service="ledger", step="Drain the ledger queue.")}

    def start(self, *arguments):
        self.provider = Provider(self.folder)
        self.addCleanup(self.provider.server_close)
        self.addCleanup(self.provider.shutdown)
        config = self.folder / "precedent.yaml"
        config.write_text(CONFIG.format(issuer=self.provider.issuer))
        return super().start("--config", str(config), *arguments)

    def whoami(self, token=None):
        return self.call("GET", "/whoami", token=token)

    def test_a_signed_token_comes_in_with_the_role_of_its_group(self):
        self.assertEqual(self.whoami()[0], 401)
        status, body = self.whoami(self.provider.token())
        self.assertEqual(status, 200, body)
        self.assertEqual((json.loads(body)["name"], json.loads(body)["role"]), ("ana@example.com", "editor"))
        self.assertEqual(self.provider.fetched, ["/realm/.well-known/openid-configuration", "/realm/keys"])
        resource = json.loads(self.call("GET", "/.well-known/oauth-protected-resource")[1])
        self.assertEqual(resource["authorization_servers"], [self.provider.issuer])

    def test_a_group_sees_its_services_alone(self):
        desk, sre = self.provider.token(groups=["desk"], sub="u-2", email="ben@example.com"), self.provider.token()
        ask = {"message": "how do I rotate the payroll key?"}
        self.assertNotIn("violet", self.call("POST", "/chat/prompt", ask, desk)[1])
        self.assertIn("violet", self.call("POST", "/chat/prompt", ask, sre)[1])
        self.call("POST", "/chat/prompt", ask | {"session_id": "mine"}, sre)
        self.assertEqual(self.call("GET", "/chat/messages/mine", token=desk)[0], 404)

    def test_what_does_not_count_stays_outside(self):
        good = self.provider.token()
        now = int(time.time())
        wrong = {"another audience": self.provider.token(aud="grafana"), "another issuer": self.provider.token(iss="https://evil.example"),
                 "over": self.provider.token(exp=now - 120), "not yet": self.provider.token(nbf=now + 600),
                 "no end": self.provider.token(exp=None), "no group": self.provider.token(groups=["sales"]),
                 "changed": good[:-6] + ("AAAAAA" if not good.endswith("AAAAAA") else "BBBBBB"),
                 "unsigned": ".".join([url64(b'{"alg":"none"}'), good.split(".")[1], ""])}
        # A key of somebody else under the name of a known one.
        known = self.provider.keys
        self.provider.rotate("other")
        head, payload, signature = self.provider.token().split(".")
        wrong["another key"] = ".".join([good.split(".")[0], payload, signature])
        self.provider.keys = known
        for what, token in wrong.items():
            status, body = self.whoami(token)
            self.assertIn(status, (401, 403), f"{what}: {body}")
            self.assertNotIn(token.split(".")[1], body, what)
        self.assertEqual(self.whoami(good)[0], 200)

    def test_without_keys_nobody_comes_in_and_the_reason_is_told(self):
        self.provider.down = True
        status, body = self.whoami(self.provider.token())
        self.assertEqual(status, 503, body)
        self.assertIn("503", body)

    def test_keys_that_the_provider_stops_for_stay_in_force(self):
        self.assertEqual(self.whoami(self.provider.token())[0], 200)
        self.provider.down = True
        self.assertEqual(self.whoami(self.provider.token(email="eva@example.com"))[0], 200)


if __name__ == "__main__":
    unittest.main()
