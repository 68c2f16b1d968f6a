#!/usr/bin/env python3
"""Verifies exports of an evidence chain (jsonl, csv, or OSCAL) with only a public key.

    python3 verify_evidence.py FILE... --key VKEY [--checkpoint NOTE]... [--partial] [--require-anchor]
        [--approvers FILE] [--allow-dev] [--json]

This is one file that uses only the standard library and no network, so that anyone who relies on it can read it. It hashes the
original bytes of the lines and never serialises a record again. The report has the same members, and the exit code the same
meaning, as those of `bylaw evidence verify`: 0 verified, 1 not verified, 2 unusable input.

Several files are read as one range, in the given order. Each signature takes about half a millisecond.
"""

import argparse
import base64
import datetime
import hashlib
import json
import mmap
import re
import sys
import unicodedata
import uuid

FAILURES = {
    "malformed": "The line is not an evidence record. The lines after it were not read.",
    "sequence": "The number of the record does not follow the number of the previous record.",
    "data": "The data does not match its hash.",
    "hash": "The hash does not match the header.",
    "link": "The link to the previous record is broken.",
    "key-id": "The record names a key that is not active.",
    "signature": "The signature does not verify.",
    "pinned-key": "The given key is not active at the start of the range, and the range does not introduce it.",
    "genesis": "The first record of a chain must be a complete genesis record, and no other record may be one.",
    "key-record": "The key record is malformed, or the new key did not sign it.",
    "dev-key": "The key is a development key. Its evidence proves nothing, and is accepted only with --allow-dev.",
    "verdict-order": "Every verdict must follow its proposal, and every proposal must be followed by its verdict.",
    "second-verdict": "The proposal already has a verdict.",
    "result-verdict": "The result does not belong to an earlier verdict.",
    "second-final": "The proposal already has a final result, and the format mark of the chain does not list this one.",
    "unexplained-erasure": "The data of the record was removed, and no later record in the range says so. "
    "If the chain continues after the range, verify it up to its last record.",
    "approval-request": "The approval does not follow from the verdict before it, its request is incomplete, or it was never requested.",
    "approval-state": "The state of the approval does not follow from its records, or an action ran without a grant and the result does not say so.",
    "approval-signature": "The key of the approver does not match the signature of the decision.",
    "approver": "The approver, or the key that signed, is not in the list of approvers.",
    "approver-groups": "The decision counts for a group that the list of approvers does not give to this approver.",
    "approver-unsigned": "No approver signed the decision.",
    "four-eyes": "The approver is the principal or the agent of the proposal.",
    "format": "The record states a format that does not fit the chain.",
    "origin": "The numbers of a replica have a gap: an entry was removed before it was numbered.",
    "row": "The cells of the row do not match its record.",
    "document": "The document does not match the records in it.",
    "checkpoint": "The records do not match the checkpoint: the chain was rewritten, or this is a different chain.",
    "checkpoint-signature": "The checkpoint is not signed by a key of this chain.",
    "checkpoint-outside": "The range does not extend from the first record to the checkpoint, or does not contain the record of the proof. "
    "Records may be missing. If you verify only a part of the chain, pass --partial.",
    "not-anchored": "No checkpoint or proof anchors the range, and --require-anchor is set.",
}
MAX_FAILURES = 100
MAX_LISTED = 1000
MAX_FAULTS = 1000
DROP_ACTION = "quarantine.drop"
FAULT_KINDS = ("second-final", "unexplained-erasure")
MAX_LINE = 4 * 1024 * 1024
MAX_NOTE = 65536
MAX_DEPTH = 100
MAX_SAFE_INTEGER = 2**53 - 1
MAX_SECONDS = 31_536_000


class Unusable(Exception):
    """The file cannot be read as evidence at all."""


# --- Verification, step by step ---------------------------------------------------------------------------------------------


def verify(files, key, anchors, require_anchor=False, allow_dev=False, partial=False, approvers=None):
    """The report. `files` are (name, opened file); `key` is (name, 32 bytes); `anchors` come from `read_anchor`."""
    run = Run(key, anchors, approvers)
    try:
        for name, file in files:
            if not verify_file(name, file, run):
                break
        return run.report(require_anchor, allow_dev, partial)
    except Unusable as error:
        return {"result": "unusable", "exit": 2, "reason": str(error)}


def verify_file(name, file, run):
    """False when nothing after the file can be read as a part of the range."""
    kind = kind_of(name, file)
    settings = settings_of(file) if kind == "oscal" else None
    before = run.failure_count
    for line, read, row_matches in records_of(name, file, kind):
        if read is None:
            run.fail("malformed", name, line, None)
            return False
        run.next(read, name, line)
        if not row_matches:
            run.fail("row", name, line, read.seq)
    if kind == "oscal" and run.failure_count == before and not (settings and document_matches(name, file, settings)):
        run.fail("document", name, None, None)
    if settings is not None and "head" in settings:
        run.stated_head = max(run.stated_head or 0, settings["head"])
    return True


class Run:
    """What is known of the range so far."""

    def __init__(self, key, anchors, approvers):
        self.key = key
        self.keys = KeyWalk(key)
        self.meaning = Semantics(approvers)
        self.anchors = AnchorWalk(anchors)
        self.failures = []
        self.failure_count = 0
        self.records = 0
        self.first = None
        self.last = None
        self.stated_head = None

    def fail(self, code, file="", line=None, seq=None):
        self.failure_count += 1
        if len(self.failures) < MAX_FAILURES:
            failure = {"code": code, "file": file, "line": line, "seq": seq, "message": FAILURES[code]}
            self.failures.append(failure)

    def next(self, read, file, line):
        codes = link_failures(read, self.last) + self.keys.next(read) + self.meaning.next(read, self.keys.chain_id)
        for code in codes:
            self.fail(code, file, line, read.seq)
        self.anchors.next(read.seq, read.hash)
        self.first = self.first or read
        self.last = read
        self.records += 1

    def report(self, require_anchor, allow_dev, partial):
        if self.first is None:
            raise Unusable("The first line is not an evidence record." if self.failure_count else "There are no records to verify.")
        anchored, anchor_failures = self.anchors.result(self.key[0], self.keys.public_keys, partial)
        second_finals, missing_entries, meant = self.meaning.summary()
        ends = [checkpoint["size"] - 1 for checkpoint in anchored["checkpoints"]]
        ends += [] if self.stated_head is None else [self.stated_head]
        reaches_end = any(self.last.seq >= end for end in ends)
        if self.keys.reigns and self.keys.reigns[0]["from"] == self.first.seq and not self.keys.pinned_seen:
            self.fail("pinned-key")
        if not allow_dev:
            for reign in self.keys.reigns:
                if reign["dev"]:
                    self.fail("dev-key", seq=reign["from"])
        for code, file in anchor_failures:
            self.fail(code, file)
        for seq in second_finals:
            self.fail("second-final", seq=seq)
        for seq in missing_entries:
            self.fail("origin", seq=seq)
        if reaches_end:
            for seq in meant["unexplained_erasures"]:
                self.fail("unexplained-erasure", seq=seq)
        if require_anchor and not anchored["anchored"]:
            self.fail("not-anchored")
        return {
            "result": "failed" if self.failure_count else "ok",
            "exit": 1 if self.failure_count else 0,
            "chain_id": self.keys.chain_id,
            "range": {
                "from": self.first.seq,
                "to": self.last.seq,
                "records": self.records,
                "first_prev_hash": self.first.prev_hash,
                "last_hash": self.last.hash,
            },
            **anchored,
            "reaches_end": reaches_end,
            "keys": self.keys.reigns,
            "revoked": self.keys.revoked(),
            **meant,
            "failure_count": self.failure_count,
            "failures": self.failures,
        }


def link_failures(read, last):
    """The record in itself, and after the one before."""
    failures = []
    if last is not None and read.seq != last.seq + 1:
        failures.append("sequence")
    if read.salt is not None and hashlib.sha256(bytes.fromhex(read.salt) + read.data_bytes).hexdigest() != read.data_hash:
        failures.append("data")
    if hashlib.sha256(b"\0" + read.header).hexdigest() != read.hash:
        failures.append("hash")
    before = last.hash if last is not None else "0" * 64 if read.seq == 0 else None
    if before is not None and read.prev_hash != before:
        failures.append("link")
    return failures


# --- One record ---------------------------------------------------------------------------------------------------------------

START = re.compile(rb'\{(?:"assurance":"(adapter|self)",)?"data":')
END = re.compile(
    rb',"data_hash":"([0-9a-f]{64})","dev":(true|false),"hash":"([0-9a-f]{64})","key_id":"([0-9a-f]{32})"'
    rb',"prev_hash":"([0-9a-f]{64})","reported_by":("(?:[^"\\]|\\.)*"),"salt":(null|"[0-9a-f]{32}")'
    rb',"seq":(0|[1-9][0-9]{0,15}),"sig":"([A-Za-z0-9_-]{85}[AQgw])"'
    rb',"time":"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z)"'
    rb',"type":"(genesis|proposal|verdict|approval|result|admin_action|key)","v":1\}',
    re.DOTALL,
)
INVALID = object()


class Read:
    """A line, taken apart into the bytes that were hashed. Nothing in it is verified yet."""

    __slots__ = (
        "line", "header", "data_bytes", "data", "salt", "hash", "sig", "seq", "prev_hash", "time", "type", "dev",
        "reported_by", "key_id", "data_hash", "assurance",
    )  # fmt: skip


def parse_record(line):
    """The record of a line without its line feed; None when it is not of the one form that a record has."""
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return None
    start = START.match(line)
    tail = line.rfind(b',"data_hash":"')
    end = END.fullmatch(line, tail) if tail >= 0 else None
    if start is None or end is None or tail < start.end():
        return None
    data_hash, dev, own_hash, key_id, prev_hash, reported_by, salt, seq, sig, time, kind = end.groups()
    data_bytes = line[start.end() : tail]
    data = parse_json(data_bytes)
    reporter = parse_json(reported_by)
    if data is INVALID or not isinstance(reporter, str) or (data is None) != (salt == b"null"):
        return None
    if not (data is None or isinstance(data, dict)) or (kind == b"result") != (start.group(1) is not None):
        return None
    if int(seq) > MAX_SAFE_INTEGER:
        return None
    read = Read()
    read.line = line
    # The header is what remains when data, hash, salt and signature are cut out: byte slices of the line, in their order.
    assurance = b"{" if start.group(1) is None else b'{"assurance":"' + start.group(1) + b'",'
    read.header = (
        assurance
        + line[end.start(1) - len(b'"data_hash":"') : end.start(3) - len(b'"hash":"')]
        + line[end.start(4) - len(b'"key_id":"') : end.start(7) - len(b'"salt":')]
        + line[end.start(8) - len(b'"seq":') : end.start(9) - len(b'"sig":"')]
        + line[end.start(10) - len(b'"time":"') :]
    )
    read.data_bytes = data_bytes
    read.data = data
    read.salt = None if data is None else salt[1:-1].decode()
    read.hash = own_hash.decode()
    read.sig = sig.decode()
    read.seq = int(seq)
    read.prev_hash = prev_hash.decode()
    read.time = time.decode()
    read.type = kind.decode()
    read.dev = dev == b"true"
    read.reported_by = reporter
    read.key_id = key_id.decode()
    read.data_hash = data_hash.decode()
    read.assurance = None if start.group(1) is None else start.group(1).decode()
    return read


def parse_json(data):
    """A JSON value, or INVALID when the bytes are none, nest too deep, or have a lone surrogate."""
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=reject, parse_int=to_int, parse_float=to_float)
        escapes = b"\\u" in data
        return value if is_sound(value, escapes, MAX_DEPTH) else INVALID
    except (ValueError, RecursionError):
        return INVALID


def reject(name):
    raise ValueError(name)


def to_int(text):
    return int(text) if len(text) < 20 else float(text)


def to_float(text):
    value = float(text)
    return int(value) if value.is_integer() and abs(value) <= MAX_SAFE_INTEGER else value


def is_sound(value, escapes, depth):
    if isinstance(value, str):
        return not escapes or is_well_formed(value)
    if not isinstance(value, (dict, list)):
        return True
    if depth == 0:
        return False
    if isinstance(value, dict):
        if escapes and not all(is_well_formed(name) for name in value):
            return False
        value = value.values()
    return all(is_sound(member, escapes, depth - 1) for member in value)


def is_well_formed(text):
    return not any("\ud800" <= char <= "\udfff" for char in text)


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_SAFE_INTEGER


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# --- Keys -----------------------------------------------------------------------------------------------------------------------


class KeyWalk:
    """Follows the keys of a chain: from genesis, or from the pinned key, along the rotations."""

    def __init__(self, pinned):
        self.pinned = pinned[1]
        self.reigns = []
        self.public_keys = []
        self.revocations = []
        self.current = None
        self.chain_id = None
        self.first = True
        self.pinned_seen = False

    def next(self, read):
        """Checks the signature of the next record under the key in force, then what the record says of keys."""
        failures = self.introduce(read) if self.first else []
        self.first = False
        if self.current is not None:
            reign = self.reigns[-1]
            reign["to"] = max(reign["to"], read.seq)
            if read.key_id != reign["key_id"]:
                failures.append("key-id")
            elif not self.current.verifies(f"svc-evidence-record/1\n{read.hash}\n", read.sig):
                failures.append("signature")
        if read.type == "key":
            failures.extend(self.rotate(read))
        return failures

    def begin(self, public_key, seq, dev):
        self.current = PublicKey(public_key)
        self.pinned_seen = self.pinned_seen or public_key == self.pinned
        self.reigns.append({"key_id": key_id_of(public_key), "from": seq, "to": seq - 1, "dev": dev})
        self.public_keys.append(public_key)

    def introduce(self, read):
        if read.seq > 0:
            if read.key_id != key_id_of(self.pinned):
                return ["pinned-key"]
            self.begin(self.pinned, read.seq, read.dev)
            return []
        genesis = read.data if isinstance(read.data, dict) and read.type == "genesis" else {}
        public_key = raw_key(genesis.get("public_key"))
        chain_id = genesis.get("chain_id")
        if public_key is None or not isinstance(chain_id, str) or genesis.get("spec") != "svc-evidence/1":
            return ["genesis"]
        self.begin(public_key, 0, read.dev)
        self.chain_id = chain_id
        return []

    def rotate(self, read):
        if not isinstance(read.data, dict):
            return ["key-record"]
        get = read.data.get
        key_id, reason, chain, proof = get("key_id"), get("reason"), get("chain_id"), get("proof")
        if get("event") == "revoked" and isinstance(key_id, str) and is_integer(get("from_seq")) and isinstance(reason, str):
            self.revocations.append((key_id, get("from_seq"), reason))
            return []
        public_key = raw_key(get("public_key"))
        if get("event") != "rotated" or public_key is None or key_id != key_id_of(public_key):
            return ["key-record"]
        if not isinstance(chain, str) or self.chain_id not in (None, chain) or not isinstance(proof, str):
            return ["key-record"]
        if not PublicKey(public_key).verifies(f"svc-key/1\n{chain}\n{read.prev_hash}\n{key_id}\n", proof):
            return ["key-record"]
        self.begin(public_key, read.seq + 1, read.dev)
        return []

    def revoked(self):
        def last(key_id):
            return next((reign["to"] for reign in reversed(self.reigns) if reign["key_id"] == key_id), None)

        return [{"key_id": k, "from": start, "to": last(k), "reason": reason} for k, start, reason in self.revocations]


def key_id_of(public_key):
    return hashlib.sha256(public_key).hexdigest()[:32]


def raw_key(text):
    """The 32 bytes of a key in base64url, in the only text that it has."""
    if not isinstance(text, str) or not re.fullmatch(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]", text):
        return None
    return base64.urlsafe_b64decode(text + "=")


# --- Ed25519 verification, RFC 8032, section 5.1.7, without cofactor as OpenSSL does it ------------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1, 1, 0)


def add(a, b):
    """Sum of two points in extended coordinates (RFC 8032, section 5.1.4)."""
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    m, n = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = n - m, d - c, d + c, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P


def decompress(data):
    """The point of 32 bytes (RFC 8032, section 5.1.3); None when there is none."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, (y & ((1 << 255) - 1)) % P
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x - u) % P != 0:
        x = x * SQRT_M1 % P
    if (v * x * x - u) % P != 0:
        return None
    if x & 1 != sign:
        x = -x % P
    return x, y, 1, x * y % P


def compress(point):
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    return (y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little")


def table_of(point):
    """Multiples of a point by all digits at all 64 places of a number in base 16."""
    table = []
    for _ in range(64):
        row = [IDENTITY]
        for _ in range(15):
            row.append(add(row[-1], point))
        table.append(row)
        point = add(row[-1], point)
    return table


def multiply(number, table):
    point = IDENTITY
    for row in table:
        digit = number & 15
        if digit:
            point = add(point, row[digit])
        number >>= 4
    return point


BASE = table_of(decompress((4 * pow(5, -1, P) % P).to_bytes(32, "little")))


class PublicKey:
    def __init__(self, raw):
        self.raw = raw
        point = decompress(raw)
        # Of the negative point: the equation is sB − hA = R.
        self.table = point and table_of((-point[0] % P, point[1], 1, -point[3] % P))

    def verifies(self, message, signature):
        """Whether the signature, base64url, is one of the key over the text."""
        if self.table is None or not re.fullmatch(r"[A-Za-z0-9_-]{86}", signature):
            return False
        raw = base64.urlsafe_b64decode(signature + "==")
        return self.verifies_bytes(message.encode("utf-8"), raw)

    def verifies_bytes(self, message, raw):
        if self.table is None or len(raw) != 64:
            return False
        s = int.from_bytes(raw[32:], "little")
        if s >= L:
            return False
        h = int.from_bytes(hashlib.sha512(raw[:32] + self.raw + message).digest(), "little") % L
        return compress(add(multiply(s, BASE), multiply(h, self.table))) == raw[:32]


# --- What records say of each other --------------------------------------------------------------------------------------------


class Semantics:
    """Decisions whole and once, results after verdicts and one of them final, replicas without holes, erasures explained."""

    def __init__(self, approvers):
        self.start = None
        self.types = {}
        self.verdicts = {}
        self.bundles = set()
        self.erased = set()
        self.faults = FaultWalk()
        self.origins = OriginWalk()
        self.approvals = ApprovalWalk(approvers)
        self.dev_records = 0
        self.erasures = 0
        self.contradictions = 0
        self.proposal = None

    def next(self, read, chain_id):
        if self.start is None:
            self.start = read.seq
        kind = self.faults.format
        self.types[read.type] = self.types.get(read.type, 0) + 1
        self.dev_records += read.dev
        failures = self.faults.next(read)
        if (read.seq == 0) != (read.type == "genesis"):
            failures.append("genesis")
        waiting, self.proposal = self.proposal, None
        if waiting is not None and read.type != "verdict":
            failures.append("verdict-order")
        if read.data is None:
            self.erasures += 1
            self.erased.add(read.seq)
        if not self.origins.next(read):
            failures.append("origin")
        if read.type == "proposal":
            self.proposal = (read.seq, facts_of(read).get("proposal_id"))
        if read.type == "verdict":
            failures += self.verdict(read, waiting)
        if read.type == "result":
            failures += self.result(read)
        return failures + self.approvals.next(read, chain_id, kind)

    def verdict(self, read, waiting):
        facts = facts_of(read)
        if "bundle_digest" in facts and len(self.bundles) < MAX_LISTED:
            self.bundles.add(facts["bundle_digest"])
        proposal_id = facts.get("proposal_id")
        if read.data is None:
            proposal_id = waiting[1] if waiting else None
        follows = waiting is not None and waiting[0] == read.seq - 1 and waiting[1] in (None, proposal_id)
        names = read.data is None or (
            is_number(read.data.get("proposal_seq")) and read.data["proposal_seq"] == read.seq - 1 and proposal_id is not None
        )
        failures = [] if (read.seq == self.start or follows) and names else ["verdict-order"]
        if proposal_id in self.verdicts:
            failures.append("second-verdict")
        elif proposal_id is not None:
            self.verdicts[proposal_id] = read.seq
        return failures

    def result(self, read):
        if read.data is None:
            return []
        facts = facts_of(read)
        if facts.get("contradicts_verdict") is True:
            self.contradictions += 1
        proposal_id, verdict_seq = facts.get("proposal_id"), facts.get("verdict_seq")
        if proposal_id is None or verdict_seq is None or verdict_seq >= read.seq:
            return ["result-verdict"]
        known = self.verdicts.get(proposal_id)
        if known is None:
            matches = verdict_seq < self.start or verdict_seq in self.erased
        else:
            matches = known == verdict_seq
        return [] if matches else ["result-verdict"]

    def summary(self):
        """Second final results that no mark lists, records before which entries are missing, and the members of the report."""
        open_faults, known = self.faults.faults()
        second_finals = [seq for kind, seq in open_faults if kind == "second-final"]
        return second_finals, self.origins.missing(), {
            "records_by_type": self.types,
            "dev_records": self.dev_records,
            "erased_records": self.erasures,
            "unexplained_erasures": [seq for kind, seq in open_faults if kind == "unexplained-erasure"],
            "known_faults": [{"kind": kind, "seq": seq} for kind, seq in known],
            "contradictions": self.contradictions,
            "approver_decisions": self.approvals.counts,
            "bundles": sorted(self.bundles),
        }


class OriginWalk:
    """Follows the numbers that replicas give to what they accept.

    A number that is missing is an entry that was removed before it was numbered, unless it comes later (it was in quarantine),
    an act names it as dropped, or an erased record was it.
    """

    def __init__(self):
        self.begin = None
        self.replicas = {}
        self.dropped = {}
        self.erasures = 0

    def next(self, read):
        """False: the record names an origin that cannot be, or one that another record has."""
        if self.begin is None:
            self.begin = read.seq
        if read.data is None:
            self.erasures += 1
        if not isinstance(read.data, dict) or read.seq == 0:
            return True
        replica, n = read.data.get("replica"), read.data.get("n")
        if read.data.get("action") == DROP_ACTION and isinstance(replica, str) and is_integer(n) and n >= 1:
            self.dropped.setdefault(replica, set()).add(n)
        origin = read.data.get("origin")
        if not isinstance(origin, dict):
            return True
        name, number = origin.get("replica"), origin.get("n")
        return isinstance(name, str) and is_integer(number) and number >= 1 and self.count(read.seq, name, number)

    def count(self, seq, replica, n):
        whole = self.begin == 0
        known = self.replicas.setdefault(replica, {"first": 1 if whole else n, "last": 0 if whole else n - 1, "gaps": []})
        if n <= known["last"]:
            return self.fill(known, n)
        hole = n - known["last"] - 1
        if hole > 0:
            erased = min(hole, self.erasures)
            self.erasures -= erased
            known["gaps"].append({"seq": seq, "first": known["last"] + 1, "last": n - 1, "explained": set(), "erased": erased})
        known["last"] = n
        return True

    def fill(self, known, n):
        if n < known["first"]:
            return self.begin != 0
        for gap in known["gaps"]:
            if gap["first"] <= n <= gap["last"] and n not in gap["explained"]:
                gap["explained"].add(n)
                return True
        return False

    def missing(self):
        """Records before which entries are missing."""
        found = []
        for replica, known in self.replicas.items():
            dropped = self.dropped.get(replica, set())
            for gap in known["gaps"]:
                named = sum(1 for n in dropped if gap["first"] <= n <= gap["last"] and n not in gap["explained"])
                if gap["last"] - gap["first"] + 1 > len(gap["explained"]) + named + gap["erased"]:
                    found.append(gap["seq"])
        return sorted(found)


class FaultWalk:
    """Follows the format of the chain, and finds second final results and erasures that no later act names.

    A chain is of format 2 from its genesis record or from a mark: records that follow each other and list the faults that
    version 0.1.0 left before them. A fault that the mark lists does not fail.
    """

    def __init__(self):
        self.format = 1
        self.listed = set()
        self.open_mark = None
        self.first = True
        self.finals = set()
        self.second_finals = []
        self.erased = set()
        self.named = set()
        self.never_erased = set()

    def next(self, read):
        self.next_final(read)
        self.next_erasure(read)
        return [] if self.next_format(read) else ["format"]

    def next_format(self, read):
        begins, self.first = self.first, False
        if read.type == "genesis":
            stated = read.data is not None and "format" in read.data
            fits = stated and is_number(read.data["format"]) and read.data["format"] == 2
            if fits:
                self.format = 2
            return fits or not stated
        before, self.open_mark = self.open_mark, None
        if read.type != "admin_action" or read.data is None or read.data.get("action") != "store.format":
            return before is None
        mark = read_mark(read.data, read.seq)
        if mark is None or self.format == 2:
            return False
        part, parts, faults = mark
        if before is None:
            follows = part == 1 or begins
        else:
            follows = before == (read.seq - 1, part - 1, parts)
        if not follows:
            return False
        self.listed.update(faults)
        if part == parts:
            self.format = 2
        else:
            self.open_mark = (read.seq, part, parts)
        return True

    def next_final(self, read):
        if read.type != "result" or read.data is None:
            return
        proposal_id, status = read.data.get("proposal_id"), read.data.get("status")
        if not isinstance(proposal_id, str) or not isinstance(status, str) or status == "deferred":
            return
        if proposal_id in self.finals:
            self.second_finals.append(read.seq)
        self.finals.add(proposal_id)

    def next_erasure(self, read):
        if read.type in ("genesis", "key"):
            self.never_erased.add(read.seq)
        if read.data is None:
            self.erased.add(read.seq)
        elif read.type == "admin_action" and read.data.get("action") == "evidence.erase":
            seq = read.data.get("seq")
            if is_count(seq, 0) and seq < read.seq:
                self.named.add(seq)

    def faults(self):
        """(kind, seq) of all faults that no mark lists, and of those that it lists, by number."""
        found = [("second-final", seq) for seq in self.second_finals]
        found += [("unexplained-erasure", seq) for seq in self.erased - (self.named - self.never_erased)]
        found.sort(key=lambda fault: fault[1])
        return [fault for fault in found if fault not in self.listed], [fault for fault in found if fault in self.listed]


# --- Approvals --------------------------------------------------------------------------------------------------------------------


class Approval:
    """An approval as the records so far say."""

    def __init__(self, request, before, seq, time, parties):
        self.id = request["approval_id"]
        self.start = seq
        self.parties = parties
        self.state = "pending"
        self.grant_expires_at = None
        self.decisions = []
        self.time = time
        self.request = request
        self.before = before
        self.terms = None

    def read_terms(self):
        """None when the request and the verdict say enough, a failure when they do not match, False when they are erased."""
        if not is_instant(self.time):
            return "approval-request"
        asked = terms_of_verdict(self.before, self.time) if self.before is not None else None
        if "state" not in self.request:
            self.terms = asked
            return None if asked else False
        self.terms = terms_of_request(self.request, self.time)
        if self.terms is None or self.request["state"] != "pending":
            return "approval-request"
        if self.terms["expires_at"] > later(self.time, self.terms["ttl_seconds"]):
            return "approval-request"
        if asked and {**asked, "expires_at": self.terms["expires_at"]} != self.terms:
            return "approval-request"
        return None

    @property
    def is_open(self):
        return self.state in ("pending", "granted")

    def follow(self, data, time, chain_id, groups_of):
        """A failure, or None after the step that the record is."""
        newer = "state" in data
        if not self.is_open:
            return "approval-state" if newer else None
        step = self.step(data, time, newer, groups_of)
        if step is None:
            return "approval-state"
        state, grant_expires_at, decision = step
        if newer:
            said = "partial" if state == "pending" else state
            if data["state"] != said or data.get("grant_expires_at") != (grant_expires_at if said == "granted" else None):
                return "approval-state"
            if not self.signature_holds(data, chain_id):
                return "approval-signature"
        self.state, self.grant_expires_at = state, grant_expires_at
        if decision is not None:
            self.decisions.append(decision)
        return None

    def step(self, data, time, newer, groups_of):
        """(state, end of the grant, decision) after the record, or None when it cannot be what it says."""
        event = data.get("event")
        if event == "cancelled":
            return "cancelled", self.grant_expires_at, None
        if self.state != "pending" and newer:
            return None
        if event == "expired":
            return None if time < self.terms["expires_at"] else ("expired", self.grant_expires_at, None)
        if event not in ("granted", "rejected"):
            return None
        approver, at, reason = data.get("approver"), data.get("at", time), data.get("reason")
        if not isinstance(approver, str) or not is_instant(at) or not isinstance(reason, (str, type(None))):
            return None
        groups = texts_in(data.get("approver_groups")) if newer else groups_of(approver)
        if groups is None or at >= self.terms["expires_at"] or any(approver == other for other, _, _ in self.decisions):
            return None
        decision = (approver, event, groups)
        if event == "rejected":
            return "rejected", self.grant_expires_at, decision
        if not self.has_quorum([*self.decisions, decision]):
            return self.state, self.grant_expires_at, decision
        return "granted", later(at, self.terms["grant_ttl_seconds"]), decision

    def has_quorum(self, decisions):
        grants = [(approver, groups) for approver, event, groups in decisions if event == "granted"]
        return all(len({who for who, of in grants if group in of}) >= self.terms["quorum"] for group in self.terms["groups"])

    def signature_holds(self, data, chain_id):
        signature, key = data.get("approver_sig"), data.get("approver_key")
        if signature is None or key is None:
            return signature is key
        if not isinstance(signature, str) or not isinstance(key, str):
            return False
        return chain_id is None or self.is_signed(data, chain_id, key, signature)

    def is_signed(self, data, chain_id, key, signature):
        statement = {
            "approval_id": self.id,
            "at": data["at"] if isinstance(data.get("at"), str) else "",
            "bundle_digest": self.terms["bundle_digest"],
            "chain_id": chain_id,
            "decision": "grant" if data.get("event") == "granted" else "reject",
            "input_digest": self.terms["input_digest"],
            "proposal_id": self.terms["proposal_id"],
            "reason": data["reason"] if isinstance(data.get("reason"), str) else None,
        }
        raw = raw_key(key)
        # Names and values are texts, so this is the canonical form of RFC 8785.
        text = json.dumps(statement, ensure_ascii=False, separators=(",", ":"))
        return raw is not None and PublicKey(raw).verifies(f"svc-approval/1\n{text}", signature)

    def report(self, status):
        if status != "deferred" and self.is_open:
            self.state = "consumed"


class ApprovalWalk:
    """Requests after their verdicts, states that follow from the records, quorums, and signatures of approvers.

    `approvers` is None, or (entries, whether decisions without a signature are accepted).
    """

    def __init__(self, approvers):
        self.approvers = approvers
        self.open = {}
        self.asked = {}
        self.ended = set()
        self.refused = {}
        self.counts = {"signed": 0, "unsigned": 0, "unchecked": 0}
        self.start = None
        self.last_erased = -1
        self.parties = []
        self.verdict = None

    def next(self, read, chain_id, kind):
        if self.start is None:
            self.start = read.seq
        if read.type == "proposal":
            self.parties = parties_of(read.data)
        if read.type == "verdict":
            self.verdict = (read.seq, read.data)
        if read.type == "result" and read.data is not None:
            return self.report(read.data)
        if read.type != "approval":
            return []
        if read.data is None:
            self.last_erased = read.seq
            return []
        approval_id = read.data.get("approval_id")
        if not isinstance(approval_id, str) or (kind == 2 and "state" not in read.data):
            return ["approval-request"]
        step = self.request if read.data.get("event") == "requested" else self.decide
        return step(read, approval_id, chain_id)

    def request(self, read, approval_id, _):
        follows = self.verdict is not None and self.verdict[0] == read.seq - 1
        before = self.verdict[1] if follows else None
        names = before is None or before.get("approval") == approval_id
        known = approval_id in self.open or approval_id in self.ended
        if "state" in read.data and (known or not names or not (follows or read.seq == self.start)):
            return ["approval-request"]
        if known or not names:
            return []
        approval = Approval(read.data, before, read.seq, read.time, self.parties)
        failure = approval.read_terms()
        if failure is not None:
            return [failure] if failure else []
        self.open[approval_id] = approval
        self.asked[approval.terms["proposal_id"]] = approval_id
        return []

    def decide(self, read, approval_id, chain_id):
        found = self.open.get(approval_id)
        decides = read.data.get("event") in ("granted", "rejected")
        failures = self.check_decision(read.data, found, chain_id) if decides else []
        if found is None:
            if "state" not in read.data or self.last_erased >= 0:
                return failures
            if approval_id in self.ended:
                return [*failures, "approval-state"]
            return [*failures, "approval-request"] if self.start == 0 else failures
        failure = found.follow(read.data, read.time, chain_id, self.groups_of)
        if failure == "approval-state" and self.last_erased > found.start:
            self.close(approval_id, found)
        elif failure is not None:
            return [*failures, failure]
        else:
            self.keep(approval_id, found)
        return failures

    def check_decision(self, data, found, chain_id):
        signature = data.get("approver_sig", INVALID)
        entries, allow_unsigned = self.approvers or ([], False)
        named = [entry for entry in entries if entry["id"] == data.get("approver")]
        if signature is None and "proof" not in data:
            self.counts["unsigned"] += 1
            if self.approvers is None:
                return []
            failures = [] if allow_unsigned else ["approver-unsigned"]
            return failures + held_against(named[0] if named else None, data, found)
        if found is None or chain_id is None or (self.approvers is None and "state" not in data):
            self.counts["unchecked"] += 1
            return []
        if "state" in data and data.get("approver_key") is None:
            self.counts["unchecked"] += 1
        else:
            self.counts["signed"] += 1
        if self.approvers is None:
            return []
        is_text = isinstance(signature, str)
        signer = next((entry for entry in named if is_text and found.is_signed(data, chain_id, entry["public_key"], signature)), None)
        return held_against(signer, data, found)

    def report(self, data):
        proposal_id, status = data.get("proposal_id"), data.get("status")
        if not isinstance(proposal_id, str):
            return []
        claims = data.get("contradicts_verdict") is False and status in ("ok", "error", "timeout")
        approval_id = self.asked.get(proposal_id)
        if approval_id is None:
            start = self.refused.get(proposal_id)
            return ["approval-state"] if claims and start is not None and self.last_erased < start else []
        found = self.open[approval_id]
        unclear = self.last_erased > found.start or any(not groups for _, _, groups in found.decisions)
        wrong = claims and not found.terms["shadow"] and found.state != "granted" and not unclear
        found.report(status)
        self.keep(approval_id, found)
        return ["approval-state"] if wrong else []

    def keep(self, approval_id, approval):
        if not approval.is_open:
            self.close(approval_id, approval)

    def close(self, approval_id, approval):
        proposal_id = approval.terms["proposal_id"]
        del self.open[approval_id]
        self.asked.pop(proposal_id, None)
        self.ended.add(approval_id)
        if approval.state in ("rejected", "expired") and not approval.terms["shadow"]:
            self.refused.setdefault(proposal_id, approval.start)

    def groups_of(self, approver):
        return next((entry["groups"] for entry in (self.approvers or ([],))[0] if entry["id"] == approver), [])


def held_against(entry, data, found):
    if entry is None:
        return ["approver"]
    failures = []
    groups = data.get("approver_groups")
    if not all(group in entry["groups"] for group in (groups if isinstance(groups, list) else [])):
        failures.append("approver-groups")
    own = {folded(name) for name in [entry["id"], *entry.get("principals", [])]}
    if any(folded(party) in own for party in (found.parties if found else [])):
        failures.append("four-eyes")
    return failures


def folded(name):
    """NFKC and case folded: lower, upper and lower case again, as the gate compares names."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).lower().upper().lower())


def parties_of(data):
    proposal = member(data or {}, "proposal")
    ids = [member(proposal, name).get("id") for name in ("principal", "agent")]
    return [one for one in ids if isinstance(one, str)]


def terms_of_verdict(data, time):
    verdict = member(data, "verdict")
    need = need_of(member(verdict, "approval"))
    terms = {
        "approval_id": data.get("approval"),
        "proposal_id": data.get("proposal_id"),
        "input_digest": verdict.get("input_digest"),
        "bundle_digest": member(verdict, "bundle").get("digest"),
    }
    if need is None or not all(isinstance(value, str) for value in terms.values()):
        return None
    return {**terms, **need, "shadow": data.get("enforced") is not True, "expires_at": later(time, need["ttl_seconds"])}


def terms_of_request(data, time):
    need = need_of(data)
    terms = {name: data.get(name) for name in ("approval_id", "proposal_id", "input_digest", "bundle_digest")}
    if need is None or not all(isinstance(value, str) for value in terms.values()):
        return None
    if not isinstance(data.get("shadow"), bool) or not is_instant(data.get("expires_at")):
        return None
    return {**terms, **need, "shadow": data["shadow"], "expires_at": data["expires_at"]}


def need_of(data):
    groups = texts_in(data.get("groups"))
    counts = {name: data.get(name) for name in ("quorum", "ttl_seconds", "grant_ttl_seconds")}
    if groups is None or not all(is_count(value, 1) and value <= MAX_SECONDS for value in counts.values()):
        return None
    return {"groups": groups, **counts}


def texts_in(value):
    return value if isinstance(value, list) and all(isinstance(text, str) for text in value) else None


def is_instant(value):
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z", value):
        return False
    if not "1970" <= value < "9000":
        return False
    try:
        datetime.datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ")
        return True
    except ValueError:
        return False


def later(time, seconds):
    at = datetime.datetime.strptime(time, "%Y-%m-%dT%H:%M:%S.%fZ") + datetime.timedelta(seconds=seconds)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"


def read_approvers(path):
    """(entries, whether decisions without a signature are accepted): a list of approvers, or a configuration, as JSON."""
    with open(path, encoding="utf-8") as file:
        try:
            value = json.load(file)
        except ValueError:
            raise Unusable(f"{path} is not JSON. Convert YAML to JSON first.") from None
    document = value if isinstance(value, dict) else {"approvers": value}
    entries = document.get("approvers")
    if not isinstance(entries, list) or not all(is_approver(entry) for entry in entries):
        raise Unusable(f"{path} must contain a list of approvers, each with id, public_key, and groups.")
    return entries, member(document, "approvals").get("allow_unsigned") is True


def is_approver(entry):
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("id"), str)
        and raw_key(entry.get("public_key")) is not None
        and texts_in(entry.get("groups")) is not None
        and texts_in(entry.get("principals", [])) is not None
    )


def read_mark(data, seq):
    """Part, parts and faults of one record of a mark; None when it is malformed. It speaks only of what is before it."""
    part, parts, faults = data.get("part"), data.get("parts"), data.get("faults")
    if not (is_count(data.get("format"), 2) and data["format"] == 2 and is_count(data.get("from_format"), 1) and data["from_format"] == 1):
        return None
    if not is_count(part, 1) or not is_count(parts, 1) or part > parts:
        return None
    if not isinstance(faults, list) or len(faults) > MAX_FAULTS:
        return None
    for fault in faults:
        if not isinstance(fault, dict) or fault.get("kind") not in FAULT_KINDS or not is_count(fault.get("seq"), 0):
            return None
        if fault["seq"] >= seq:
            return None
    return part, parts, [(fault["kind"], fault["seq"]) for fault in faults]


def is_count(value, least):
    return is_integer(value) and value >= least


def facts_of(read):
    """What a record says in members that people filter and count by."""
    data = read.data
    if data is None:
        return {}
    facts = {}

    def put(name, value, kind):
        if isinstance(value, kind):
            facts[name] = value

    if read.type == "proposal":
        proposal = member(data, "proposal")
        action = member(proposal, "action")
        put("proposal_id", proposal.get("id"), str)
        put("principal", member(proposal, "principal").get("id"), str)
        put("agent", member(proposal, "agent").get("id"), str)
        put("action_type", action.get("type"), str)
        put("resource", action.get("resource"), str)
        put("environment", proposal.get("environment"), str)
    elif read.type == "verdict":
        verdict = member(data, "verdict")
        put("proposal_id", data.get("proposal_id"), str)
        put("decision", verdict.get("decision"), str)
        put("enforced", data.get("enforced"), bool)
        put("effective_decision", data.get("effective_decision"), str)
        put("approval_id", data.get("approval"), str)
        put("bundle_digest", member(verdict, "bundle").get("digest"), str)
        matched = verdict.get("matched_policies")
        ids = [policy.get("id") for policy in (matched if isinstance(matched, list) else []) if isinstance(policy, dict)]
        facts["policies"] = [policy for policy in ids if isinstance(policy, str)]
    elif read.type == "approval":
        put("approval_id", data.get("approval_id"), str)
    elif read.type == "result":
        put("proposal_id", data.get("proposal_id"), str)
        put("result_status", data.get("status"), str)
        put("contradicts_verdict", data.get("contradicts_verdict"), bool)
        if is_number(data.get("verdict_seq")):
            facts["verdict_seq"] = data["verdict_seq"]
    return facts


def member(data, name):
    value = data.get(name)
    return value if isinstance(value, dict) else {}


# --- The tree (RFC 9162, section 2.1), checkpoints and proofs (c2sp.org) ----------------------------------------------------------


class AnchorWalk:
    """Builds the tree over the range, and holds it against the anchors on the way."""

    def __init__(self, anchors):
        self.anchors = anchors
        self.found = [None] * len(anchors)
        self.frontier = None
        self.expected = 0

    def next(self, seq, leaf):
        if seq == self.expected:
            frontier, node, rest = list(self.frontier or []), bytes.fromhex(leaf), seq
            while rest % 2 == 1:
                node = node_hash(frontier.pop(), node)
                rest //= 2
            self.frontier = frontier + [node]
        else:
            self.frontier = None
        self.expected = -1 if self.frontier is None else seq + 1
        for at, anchor in enumerate(self.anchors):
            if anchor["inclusion"] is not None:
                if anchor["inclusion"][0] == seq:
                    self.found[at] = root_of_inclusion(bytes.fromhex(leaf), seq, anchor["size"], anchor["inclusion"][1])
            elif self.frontier is not None and anchor["size"] == seq + 1:
                self.found[at] = root_of(self.frontier)

    def result(self, name, public_keys, partial):
        statuses = [self.status(at, name, public_keys) for at in range(len(self.anchors))]
        reached = [a["inclusion"][0] if a["inclusion"] else a["size"] - 1 for a, s in zip(self.anchors, statuses) if s == "matches"]
        failure_of = {"mismatch": "checkpoint", "not-signed": "checkpoint-signature"}
        if not partial:
            failure_of["outside"] = "checkpoint-outside"
        anchored = {
            "root": None if self.frontier is None else root_of(self.frontier).hex(),
            "anchored": len(reached) > 0,
            "anchored_to": max(reached) if reached else None,
            "checkpoints": [{"file": a["file"], "size": a["size"], "status": s} for a, s in zip(self.anchors, statuses)],
        }
        return anchored, [(failure_of[s], a["file"]) for a, s in zip(self.anchors, statuses) if s in failure_of]

    def status(self, at, name, public_keys):
        anchor = self.anchors[at]
        signed = anchor["origin"] == name and any(is_signed_by(anchor["note"], name, key) for key in public_keys)
        if not signed:
            return "not-signed"
        if self.found[at] is None:
            return "outside"
        return "matches" if self.found[at] == anchor["root"] else "mismatch"


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def root_of(frontier):
    root = frontier[-1]
    for left in reversed(frontier[:-1]):
        root = node_hash(left, root)
    return root


def root_of_inclusion(leaf, seq, size, proof):
    """The root that a proof leads to (RFC 9162, section 2.1.3.2); empty when the proof does not fit."""
    if seq >= size:
        return b""
    position, last, root = seq, size - 1, leaf
    for node in proof:
        if last == 0:
            return b""
        if position % 2 == 1 or position == last:
            root = node_hash(node, root)
            while position % 2 == 0 and position != 0:
                position, last = position // 2, last // 2
        else:
            root = node_hash(root, node)
        position, last = position // 2, last // 2
    return root if last == 0 else b""


PROOF = "c2sp.org/tlog-proof@v1\n"


def read_anchor(file, text):
    """A checkpoint, or the proof of one record against one."""
    if not text.startswith(PROOF):
        return {"file": file, "inclusion": None, **read_checkpoint(text)}
    end = text.find("\n\n")
    lines = text[len(PROOF) : end].split("\n")
    if lines[0].startswith("extra "):
        lines.pop(0)
    index = re.fullmatch(r"index (0|[1-9][0-9]{0,15})", lines.pop(0) if lines else "")
    proof = [decode_base64(line) for line in lines]
    if end < 0 or index is None or int(index.group(1)) > MAX_SAFE_INTEGER or any(len(node) != 32 for node in proof):
        raise Unusable("The proof is malformed. Expected an index, base64 hashes, an empty line, and a checkpoint.")
    return {"file": file, "inclusion": (int(index.group(1)), proof), **read_checkpoint(text[end + 2 :])}


def read_checkpoint(text):
    note = read_note(text)
    origin, size, root = (note["text"].split("\n") + ["", "", ""])[:3]
    root = decode_base64(root)
    if origin == "" or not re.fullmatch(r"0|[1-9][0-9]{0,15}", size) or len(root) != 32:
        raise Unusable("The note is not a checkpoint. Expected an origin, a size, and a base64 SHA-256 root, one per line.")
    if int(size) > MAX_SAFE_INTEGER:
        raise Unusable("The size in the checkpoint must be a number of records.")
    return {"origin": origin, "size": int(size), "root": root, "note": note}


def read_note(note):
    if len(note) > MAX_NOTE:
        raise Unusable("The note is longer than 65,536 characters.")
    end = note.rfind("\n\n")
    if end < 1 or re.search(r"[\x00-\x09\x0b-\x1f]", note):
        raise Unusable("The file is not a signed note. Expected text, an empty line, and signatures.")
    lines = note[end + 2 :].split("\n")
    if lines.pop() != "" or not lines:
        raise Unusable("The note has no signature lines, or its last line is truncated.")
    return {"text": note[: end + 1], "signatures": [read_signature(line) for line in lines]}


def read_signature(line):
    parts = re.fullmatch(r"\u2014 ([^ ]+) ([A-Za-z0-9+/]+={0,2})", line)
    data = decode_base64(parts.group(2)) if parts else b""
    if not parts or not is_key_name(parts.group(1)) or len(data) < 5:
        raise Unusable("A signature line of the note is malformed.")
    return parts.group(1), data[:4], data[4:]


def is_signed_by(note, name, public_key):
    own = [raw for signer, key_id, raw in note["signatures"] if signer == name and key_id == note_key_id(name, public_key)]
    key = PublicKey(public_key)
    return len(own) > 0 and all(key.verifies_bytes(note["text"].encode("utf-8"), raw) for raw in own)


def note_key_id(name, public_key):
    return hashlib.sha256(name.encode("utf-8") + b"\n\1" + public_key).digest()[:4]


def is_key_name(name):
    return name != "" and not any(c in "+\ufeff" or c.isspace() or unicodedata.category(c)[0] == "Z" or unicodedata.category(c) == "Cc" for c in name)


def read_verifier_key(text):
    """(name, 32 bytes) of `name+key id+base64`."""
    parts = text.strip().split("+", 2)
    data = decode_base64(parts[2]) if len(parts) == 3 else b""
    if len(parts) != 3 or not is_key_name(parts[0]) or not re.fullmatch(r"[0-9a-f]{8}", parts[1]) or len(data) != 33:
        raise Unusable("A verifier key must have the form name+8 hexadecimal digits+base64 of 33 bytes.")
    if data[0] != 1:
        raise Unusable("The verifier key must have the type Ed25519 (1).")
    if note_key_id(parts[0], data[1:]).hex() != parts[1]:
        raise Unusable("The key id in the verifier key does not match its name and key.")
    return parts[0], data[1:]


def decode_base64(text):
    """The bytes of the only text that they have; none when it is another."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return b""
    return data if base64.b64encode(data).decode() == text else b""


# --- Files --------------------------------------------------------------------------------------------------------------------


def kind_of(name, file):
    file.seek(0)
    start = file.read(64)
    if start.startswith(b'{"assessment-results":'):
        return "oscal"
    if start.startswith(b'"seq",'):
        return "csv"
    if start.startswith((b'{"data":', b'{"assurance":')):
        return "jsonl"
    raise Unusable(f"{name} is not an evidence export (jsonl, csv, or OSCAL).")


def records_of(name, file, kind):
    """(line, record or None, whether the other cells fit); ends after the first line that is no record."""
    if kind == "csv":
        found = from_rows(name, file)
    else:
        file.seek(0)
        found = from_lines(lines_of(embedded(name, file) if kind == "oscal" else iter(lambda: file.read(65536), b"")))
    for item in found:
        yield item
        if item[1] is None:
            return


def from_lines(lines):
    for number, line in enumerate(lines, 1):
        yield number, parse_record(line[:-1] if line.endswith(b"\n") else line), True


def from_rows(name, file):
    file.seek(0)
    for number, row in enumerate(rows_of(lines_of(iter(lambda: file.read(65536), b""))), 1):
        if number == 1:
            if row != CSV_HEADER:
                raise Unusable(f"{name} must start with the column names.")
            continue
        cell = row.rfind(b',"{')
        whole = row.endswith(b'"\r\n') and cell >= 0 and is_utf8(row)
        read = parse_record(row[cell + 2 : -3].replace(b'""', b'"')) if whole else None
        yield number, read, read is not None and csv_row(read) == row


def is_utf8(data):
    try:
        data.decode("utf-8")
        return True
    except UnicodeDecodeError:
        return False


def lines_of(chunks):
    rest, length = [], 0
    for chunk in chunks:
        pieces = chunk.split(b"\n")
        for piece in pieces[:-1]:
            check_length(length + len(piece) + 1)
            yield b"".join(rest) + piece + b"\n"
            rest, length = [], 0
        if pieces[-1]:
            rest.append(pieces[-1])
            length += len(pieces[-1])
            check_length(length)
    if rest:
        yield b"".join(rest)


def rows_of(lines):
    """Rows of a csv file. Quotes within cells are doubled, so only a record, the last cell, ends with a brace and one quote."""
    row, length, names = [], 0, True
    for line in lines:
        row.append(line)
        length += len(line)
        check_length(length)
        if names or line.endswith(b'}"\r\n'):
            yield b"".join(row)
            row, length, names = [], 0, False
    if row:
        yield b"".join(row)


def check_length(length):
    if length > MAX_LINE:
        raise Unusable(f"A line is longer than {MAX_LINE} bytes, so this is not an evidence export.")


COLUMNS = (
    "seq time type dev reported_by assurance proposal_id principal agent action_type resource environment decision enforced "
    "effective_decision approval_id result_status contradicts_verdict bundle_digest key_id prev_hash hash record"
).split()
CSV_HEADER = ",".join(f'"{name}"' for name in COLUMNS).encode() + b"\r\n"


def csv_row(read):
    facts = facts_of(read)
    cells = [str(read.seq), read.time, read.type, said(read.dev), read.reported_by, read.assurance or ""]
    cells += [said(facts.get(name, "")) for name in COLUMNS[6:19]]
    cells += [read.key_id, read.prev_hash, read.hash]
    quoted = [inert(cell).replace('"', '""') for cell in cells]
    return ",".join(f'"{cell}"' for cell in quoted).encode("utf-8") + b',"' + read.line.replace(b'"', b'""') + b'"\r\n'


def inert(cell):
    """Spreadsheets take a cell that begins so for a formula."""
    return "'" + cell if cell[:1] in tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20") else cell


def said(value):
    return ("true" if value else "false") if isinstance(value, bool) else value


# --- The OSCAL document, written anew ------------------------------------------------------------------------------------------

NAMESPACE = "https://svc.invalid/ns/oscal"
EVIDENCE_MARK = b'"media-type":"application/x-ndjson","value":"'
SETTINGS_MARK = b'{"name":"export-settings","ns":"' + NAMESPACE.encode() + b'","value":'
DOCUMENT_END = '"}}\n]}}}\n'
EPOCH = "1970-01-01T00:00:00.000Z"
MAX_HEAD = 1024 * 1024
MAX_RELATED = 100
WHITE = re.compile("[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]")


def embedded(name, file):
    """The bytes of the records within a document: its base64 up to the padding, or up to whatever damage ends it."""
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as document:
        start = document.find(EVIDENCE_MARK)
        if start < 0:
            raise Unusable(f"{name} contains no records. Only OSCAL documents that the gate exported can be verified.")
        start += len(EVIDENCE_MARK)
        end = re.compile(rb"[^A-Za-z0-9+/]").search(document, start)
        end = len(document) if end is None else end.start()
        for at in range(start, end, 1 << 20):
            piece = document[at : min(at + (1 << 20), end)]
            piece = piece[: len(piece) - (len(piece) % 4 == 1)]
            yield base64.b64decode(piece + b"=" * (-len(piece) % 4))


def document_matches(name, file, settings):
    """Whether the document is, byte for byte, the one that its records and settings make."""

    def reads():
        return (read for _, read, _ in records_of(name, file, "oscal"))

    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as document:
        at = 0
        for piece in document_pieces(reads, settings):
            expected = piece.encode("utf-8")
            if document[at : at + len(expected)] != expected:
                return False
            at += len(expected)
        return at == len(document)


def settings_of(file):
    file.seek(0)
    head = file.read(MAX_HEAD)
    start = head.find(SETTINGS_MARK)
    text = re.compile(rb'"(?:[^"\\]|\\.)*"').match(head, start + len(SETTINGS_MARK)) if start >= 0 else None
    try:
        settings = json.loads(json.loads(text.group().decode("utf-8"))) if text else None
    except ValueError:
        return None
    return settings if is_settings(settings) else None


def is_settings(value):
    def is_texts(texts):
        return isinstance(texts, list) and all(isinstance(text, str) for text in texts)

    names = {"version", "chain_id", "controls", "policy_controls", "system_id", "next_from"}
    return (
        isinstance(value, dict)
        # Documents of version 0.1.0 do not state the head.
        and set(value) - {"head"} == names
        and isinstance(value["version"], str)
        and isinstance(value["chain_id"], str)
        and re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", value["chain_id"]) is not None
        and is_texts(value["controls"])
        and isinstance(value["policy_controls"], dict)
        and all(is_texts(texts) for texts in value["policy_controls"].values())
        and (value["system_id"] is None or isinstance(value["system_id"], str))
        and (value["next_from"] is None or is_integer(value["next_from"]))
        and ("head" not in value or is_integer(value["head"]))
    )


class Survey:
    """What the document says before and after its observations."""

    def __init__(self, reads, settings):
        self.settings = settings
        self.namespace = uuid.UUID(settings["chain_id"])
        self.count, self.first, self.last, self.broken = 0, None, None, False
        self.reporters = {}
        self.controls = {}
        digest, refused = hashlib.sha256(), {}
        for read in reads:
            digest.update(read.line + b"\n")
            if link_failures(read, self.last):
                self.broken = True
            self.first, self.last, self.count = self.first or read, read, self.count + 1
            self.reporters.setdefault(read.reported_by, self.id(f"component/{read.reported_by}"))
            self.outcome(read, refused)
        self.jsonl_digest = digest.hexdigest()
        self.range_name = f"{self.first.seq}-{self.last.seq}/{self.last.hash}"
        self.range_title = f"records {self.first.seq} to {self.last.seq}"
        self.evidence_id = self.id(f"resource/{self.range_name}")

    def id(self, name):
        return str(uuid.uuid5(self.namespace, name))

    def outcome(self, read, refused):
        facts = facts_of(read)
        if read.type == "result" and facts.get("contradicts_verdict") is True:
            for control in refused.get(facts.get("verdict_seq"), []):
                self.fails(control, read)
        if read.type != "verdict" or read.data is None:
            return
        mapping = self.settings["policy_controls"]
        named = list(dict.fromkeys(control for policy in facts["policies"] for control in mapping.get(policy, [])))
        for control in named:
            self.controls.setdefault(control, {"verdicts": 0, "failures": 0, "observations": []})["verdicts"] += 1
        if facts.get("decision") == "DENY" and facts.get("enforced") is False:
            for control in named:
                self.fails(control, read)
        if facts.get("effective_decision") != "ALLOW" and named:
            refused[read.seq] = named

    def fails(self, control, read):
        outcome = self.controls[control]
        outcome["failures"] += 1
        if len(outcome["observations"]) < MAX_RELATED:
            outcome["observations"].append(self.id(f"record/{read.seq}/{read.hash}"))


def document_pieces(reads, settings):
    survey = Survey(reads(), settings)
    yield document_head(survey)
    separator = ""
    for read in reads():
        yield separator + observation(read, survey)
        separator = ",\n"
    yield document_middle(survey)
    rest = b""
    for read in reads():
        data = rest + read.line + b"\n"
        whole = len(data) - len(data) % 3
        yield base64.b64encode(data[:whole]).decode()
        rest = data[whole:]
    yield base64.b64encode(rest).decode() + DOCUMENT_END


def document_head(survey):
    settings, at = survey.settings, survey.last.time
    metadata = {
        "title": f"Evidence of the action proposal gate: {survey.range_title} of chain {settings['chain_id']}",
        "last-modified": at,
        "version": survey.last.hash[:12],
        "oscal-version": settings["version"],
        "parties": [
            {"uuid": survey.id("party/service"), "type": "organization", "name": "Operator of the action proposal gate"}
        ],
    }
    components = [component(None, survey.id("component"))]
    components += [component(reporter, identifier) for reporter, identifier in survey.reporters.items()]
    result = {
        "uuid": survey.id(f"result/{survey.range_name}"),
        "title": f"Decisions of the gate: {survey.range_title}",
        "description": "What the gate decided of proposed actions, what adapters reported of them, and what administrators did, "
        "one observation per record.",
        "start": survey.first.time,
        "end": at,
        "props": result_props(survey),
        "local-definitions": {"components": components},
        "reviewed-controls": {"control-selections": [control_selection(settings)]},
    }
    import_ap = {"href": f"#{survey.id('resource/no-plan')}", "remarks": "The gate works without an assessment plan."}
    document_id = survey.id(f"document/{survey.range_name}")
    return (
        f'{{"assessment-results":{{\n"uuid":{dump(document_id)},\n"metadata":{dump(metadata)},\n"import-ap":{dump(import_ap)},\n'
        f'"results":[{dump(result)[:-1]},\n"observations":[\n'
    )


def observation(read, survey):
    facts = facts_of(read)
    told = f": verdict {facts.get('decision', 'undefined')}, told {facts['effective_decision']}" if "effective_decision" in facts else ""
    values = {
        "seq": str(read.seq),
        "hash": read.hash,
        "record-type": read.type,
        "dev": "true" if read.dev else None,
        "erased": "true" if read.data is None else None,
        "proposal-id": facts.get("proposal_id"),
        "decision": facts.get("decision"),
        "enforced": said(facts.get("enforced")),
        "effective-decision": facts.get("effective_decision"),
        "approval": facts.get("approval_id"),
        "status": facts.get("result_status"),
        "assurance": read.assurance,
        "contradicts-verdict": said(facts.get("contradicts_verdict")),
        "bundle-digest": facts.get("bundle_digest"),
    }
    about = props({"resource": facts.get("resource"), "action": facts.get("action_type"), "environment": facts.get("environment")})
    subject = {"subject-uuid": survey.reporters[read.reported_by], "type": "component"}
    if about:
        subject["props"] = about
    return dump(
        {
            "uuid": survey.id(f"record/{read.seq}/{read.hash}"),
            "title": f"Record {read.seq} ({read.type})",
            "description": f"Record {read.seq} of the type {read.type}, reported by {one_line(read.reported_by)}{told}.",
            "props": props(values),
            "methods": ["TEST" if read.type == "verdict" else "EXAMINE"],
            "types": ["control-objective"],
            "subjects": [subject],
            "relevant-evidence": [
                {
                    "href": f"#{survey.evidence_id}",
                    "description": f"Line {read.seq - survey.first.seq + 1} of the embedded records.",
                }
            ],
            "collected": read.time,
        }
    )


def document_middle(survey):
    next_from = survey.settings["next_from"]
    remarks = f"This document speaks of {survey.range_title} of the chain, and of nothing else."
    if next_from is not None:
        remarks += f" It was cut: export on from {next_from}."
    no_plan = {
        "uuid": survey.id("resource/no-plan"),
        "title": "No assessment plan",
        "description": "The gate judges every proposed action as it comes. There is no assessment plan that these results follow.",
    }
    evidence = {
        "uuid": survey.evidence_id,
        "title": "The records",
        "description": "The records of the range, one per line, hash-linked and signed. This document can be verified with them.",
        "props": props({"sha-256": survey.jsonl_digest}),
        "base64": {"filename": "evidence.jsonl", "media-type": "application/x-ndjson", "value": ""},
    }
    findings = [finding(control, outcome, survey) for control, outcome in survey.controls.items()]
    listed = f',\n"findings":{dump(findings)}' if findings else ""
    return (
        f'\n]{listed},\n"remarks":{dump(remarks)}}}],\n"back-matter":{{"resources":[\n{dump(no_plan)},\n'
        f"{dump(evidence)[:-3]}"
    )


def result_props(survey):
    settings = survey.settings
    values = {
        "chain-id": settings["chain_id"],
        "from": str(survey.first.seq),
        "to": str(survey.last.seq),
        "first-prev-hash": survey.first.prev_hash,
        "last-hash": survey.last.hash,
        "verifiable": said(not survey.broken),
        "next-from": None if settings["next_from"] is None else str(settings["next_from"]),
        "head": str(settings["head"]) if "head" in settings else None,
        "system-id": settings["system_id"],
    }
    return props(values) + [{"name": "export-settings", "ns": NAMESPACE, "value": dump(settings)}]


def component(reporter, identifier):
    gate = reporter is None
    return {
        "uuid": identifier,
        "type": "software" if gate else "service",
        "title": "Action proposal gate" if gate else f"Reporter {one_line(reporter)}",
        "description": "Decides of proposed actions, and keeps the evidence."
        if gate
        else "Submits proposals, reports results, or administers the gate.",
        "status": {"state": "operational"},
    }


def control_selection(settings):
    if not settings["controls"]:
        return {"description": "No controls are configured.", "include-all": {}}
    return {"include-controls": [{"control-id": control} for control in settings["controls"]]}


def finding(control, outcome, survey):
    found = {
        "uuid": survey.id(f"finding/{control}/{survey.range_name}"),
        "title": f"Control {control}",
        "description": f"Verdicts of policies that name this control: {outcome['verdicts']}. Denials that were not enforced, "
        f"and results that contradict a verdict: {outcome['failures']}.",
        "target": {
            "type": "objective-id",
            "target-id": f"{control}_obj",
            "status": {"state": "not-satisfied" if outcome["failures"] else "satisfied"},
        },
    }
    if outcome["observations"]:
        found["related-observations"] = [{"observation-uuid": identifier} for identifier in outcome["observations"]]
    return found


def props(values):
    lines = [(name, one_line(value or "")) for name, value in values.items()]
    return [{"name": name, "ns": NAMESPACE, "value": value} for name, value in lines if value != ""]


def one_line(text):
    return WHITE.sub(" ", text).strip(" ")


def dump(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# --- The command ----------------------------------------------------------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser(description="Verify exports of an evidence chain.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="jsonl, csv, or OSCAL files, in the order of their records")
    parser.add_argument("--key", required=True, metavar="VKEY", help="trusted public key: name+id+base64")
    parser.add_argument("--checkpoint", action="append", default=[], metavar="NOTE", help="checkpoint or proof that was kept outside the gate")
    parser.add_argument("--partial", action="store_true", help="accept a part of the chain that does not reach every checkpoint")
    parser.add_argument("--require-anchor", action="store_true", help="fail unless a checkpoint anchors the range")
    parser.add_argument("--approvers", metavar="FILE", help="list of approvers (JSON) that every decision on an approval must match")
    parser.add_argument("--allow-dev", action="store_true", help="accept evidence that is signed with development keys")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    options = parser.parse_args()
    try:
        key = read_verifier_key(options.key)
        anchors = []
        for path in options.checkpoint:
            with open(path, encoding="utf-8", newline="") as file:
                anchors.append(read_anchor(path, file.read()))
        approvers = read_approvers(options.approvers) if options.approvers is not None else None
        files = [(path, open(path, "rb")) for path in options.files]
        report = verify(files, key, anchors, options.require_anchor, options.allow_dev, options.partial, approvers)
    except (Unusable, OSError, UnicodeDecodeError) as error:
        report = {"result": "unusable", "exit": 2, "reason": str(error)}
    print(json.dumps(report, indent=2, ensure_ascii=False) if options.json else summary_of(report))
    return report["exit"]


def summary_of(report):
    if report["exit"] == 2:
        return f"Cannot verify the evidence. {report['reason']}"
    extent = report["range"]
    noun = "record" if extent["records"] == 1 else "records"
    lines = [f"{report['result']}: {extent['records']} {noun}, {extent['from']} to {extent['to']}"]
    lines.append(f"anchored up to record {report['anchored_to']}" if report["anchored"] else "not anchored by a checkpoint")
    for name in ("dev_records", "erased_records", "contradictions"):
        if report[name]:
            lines.append(f"{name.replace('_', ' ')}: {report[name]}")
    if report["unexplained_erasures"] and not report["reaches_end"]:
        lines.append(
            f"WARNING: records erased without an explanation in the range: {listed(report['unexplained_erasures'])}; "
            f"the explanation may be after record {extent['to']}"
        )
    if report["known_faults"]:
        known = [f"{fault['kind']} {fault['seq']}" for fault in report["known_faults"]]
        lines.append(f"known faults of an earlier version, listed by the format mark: {listed(known)}")
    for key in report["revoked"]:
        lines.append(f"records {key['from']} to {key['to']} are signed with the revoked key {key['key_id']}: {key['reason']}")
    for failure in report["failures"]:
        place = f" record {failure['seq']}" if failure["seq"] is not None else ""
        lines.append(f"{failure['code']}{place}: {failure['message']}")
    return "\n".join(lines)


def listed(items):
    more = len(items) - 20
    return ", ".join(str(item) for item in items[:20]) + (f", and {more} more" if more > 0 else "")


if __name__ == "__main__":
    sys.exit(main())
