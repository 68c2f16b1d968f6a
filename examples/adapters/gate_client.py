"""A client of the gate in Python, standard library only: signs requests, submits a proposal, reports a result.

    SVC_ADAPTER_SECRET_CI=… python3 gate_client.py http://127.0.0.1:8000 ci proposal.json
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import urllib.error
import urllib.request
from datetime import datetime, timezone


def signed_headers(method, path, body, adapter_id, secret, nonce=""):
    """The headers that authenticate a request. `path` is without the query, `body` the exact bytes that are sent."""
    now = datetime.now(timezone.utc)
    timestamp = now.strftime("%Y-%m-%dT%H:%M:%S.") + f"{now.microsecond // 1000:03d}Z"
    digest = hashlib.sha256(body).hexdigest()
    canonical = "\n".join([method, path, timestamp, nonce, digest])
    mac = hmac.new(secret.encode(), canonical.encode(), hashlib.sha256).digest()
    headers = {
        "X-SVC-Adapter-Id": adapter_id,
        "X-SVC-Timestamp": timestamp,
        "X-SVC-Signature": base64.urlsafe_b64encode(mac).rstrip(b"=").decode(),
    }
    return headers | ({"X-SVC-Nonce": nonce} if nonce else {})


def call(url, adapter_id, secret, method, path, value=None):
    """Sends one request. Returns the status and the parsed body; raises URLError when nothing was heard."""
    body = b"" if value is None else json.dumps(value).encode()
    headers = signed_headers(method, path, body, adapter_id, secret)
    if value is not None:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(url + path, data=body or None, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as problem:
        return problem.code, json.loads(problem.read() or b"{}")


def may_run(url, adapter_id, secret, proposal):
    """Whether the action may run now. Whatever is no decision is a refusal: fail closed."""
    try:
        status, answer = call(url, adapter_id, secret, "POST", "/v1/proposals", proposal)
        if answer.get("code") == "AG-EVD-009":
            # The gate does not know whether it has recorded a decision: what it has recorded tells.
            status, answer = call(url, adapter_id, secret, "GET", f"/v1/proposals/{proposal['id']}")
            return status == 200 and answer.get("effective_decision_now") == "ALLOW"
    except OSError:
        return False
    # Never verdict.decision: in shadow mode the two differ.
    return status in (200, 202) and answer.get("effective_decision") == "ALLOW"


if __name__ == "__main__":
    url, adapter_id, file = sys.argv[1:]
    secret = os.environ["SVC_ADAPTER_SECRET_" + adapter_id.upper().replace("-", "_")]
    with open(file, encoding="utf-8") as source:
        proposal = json.load(source)
    if not may_run(url, adapter_id, secret, proposal):
        sys.exit("The action must not run.")
    # Run the very action that was proposed here, then say what came of it.
    status, _ = call(url, adapter_id, secret, "POST", f"/v1/proposals/{proposal['id']}/result", {"status": "ok"})
    print("The action ran, and its result is recorded." if status == 200 else f"The result was refused: {status}.")
