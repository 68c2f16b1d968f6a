import { QUARANTINED, SCHEMA } from '../database/names.js';
import { subjectIn } from '../reads/read-history.js';

/**
 * Steps that programs of schema version 1 live with: they can go on writing while replicas are replaced one after another. So
 * they are recorded in a table of their own, and not as a version, which those programs would refuse.
 */
export const ADDITIONS: readonly { name: string; sql: string }[] = [{ name: 'guards', sql: guards() }];

/**
 * - The keys of the chain become a view of its records: nobody can add one any more.
 * - A row of the outbox is numbered once, by a record with its reference, and never changed or deleted.
 * - The counter of a replica moves only with a row, and says which format its program writes, and when that was.
 * - What became of a row in quarantine is kept.
 * - Approval and result records are found by what they say.
 *
 * Functions fix their search path: else someone with a schema of their own could give another meaning to an operator.
 */
function guards(): string {
  return `
DROP TABLE ${SCHEMA}.chain_key;
CREATE VIEW ${SCHEMA}.chain_key AS
  SELECT key.key_id, key.public_key, EXISTS (SELECT FROM ${SCHEMA}.evidence gone WHERE gone.type = 'key'
      AND gone.data::json ->> 'event' = 'revoked' AND gone.data::json ->> 'key_id' = key.key_id) AS revoked
  FROM ${SCHEMA}.head, LATERAL (
    SELECT header::json ->> 'key_id' AS key_id, data::json ->> 'public_key' AS public_key FROM ${SCHEMA}.evidence WHERE seq = 0
    UNION ALL SELECT data::json ->> 'key_id', data::json ->> 'public_key' FROM ${SCHEMA}.evidence
      WHERE type = 'key' AND evidence.seq <= head.seq AND data::json ->> 'event' = 'rotated') AS key;
GRANT SELECT ON ${SCHEMA}.chain_key TO PUBLIC;

ALTER TABLE ${SCHEMA}.replica
  ADD COLUMN format smallint NOT NULL DEFAULT 1, ADD COLUMN seen_at timestamptz;
-- Of replicas that were there before it is not known whether they still run.
ALTER TABLE ${SCHEMA}.replica ALTER COLUMN seen_at SET DEFAULT clock_timestamp();
CREATE FUNCTION ${SCHEMA}.replica_counts() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NEW.n > 0 AND NOT EXISTS (SELECT FROM ${SCHEMA}.outbox o WHERE o.replica = NEW.id AND o.n = NEW.n) THEN
    RAISE EXCEPTION 'the counter of a replica moves only with a row of the outbox';
  END IF;
  -- A program that does not say when it was seen is one of format 1.
  IF TG_OP = 'UPDATE' AND NEW.seen_at IS NOT DISTINCT FROM OLD.seen_at THEN
    NEW.format := 1;
    NEW.seen_at := clock_timestamp();
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER replica_rows BEFORE INSERT OR UPDATE OF n ON ${SCHEMA}.replica FOR EACH ROW EXECUTE FUNCTION ${SCHEMA}.replica_counts();
CREATE TRIGGER replica_remains BEFORE DELETE OR TRUNCATE ON ${SCHEMA}.replica FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.refuse();

ALTER TABLE ${SCHEMA}.quarantine
  ADD COLUMN resolution text CHECK (resolution IN ('released', 'dropped')),
  ADD COLUMN replica text,
  ADD COLUMN n bigint;
CREATE TRIGGER quarantine_remains BEFORE DELETE OR TRUNCATE ON ${SCHEMA}.quarantine
  FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.refuse();

CREATE FUNCTION ${SCHEMA}.outbox_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (NEW.id, NEW.oid, NEW.kind, NEW.proposal_id, NEW.replica, NEW.n, NEW.accepted_at)
      IS NOT DISTINCT FROM (OLD.id, OLD.oid, OLD.kind, OLD.proposal_id, OLD.replica, OLD.n, OLD.accepted_at) THEN
    IF OLD.seq IS NULL AND NEW.seq > 0 AND NEW.content IS NULL AND NEW.content_sig IS NULL
        AND EXISTS (SELECT FROM ${SCHEMA}.evidence e WHERE e.seq = NEW.seq AND e.oid = OLD.oid
          AND e.type = CASE OLD.kind WHEN 'decision' THEN 'verdict' ELSE OLD.kind END) THEN
      RETURN NEW;
    END IF;
    IF (NEW.content, NEW.content_sig) IS NOT DISTINCT FROM (OLD.content, OLD.content_sig) THEN
      IF OLD.seq IS NULL AND NEW.seq = ${QUARANTINED}
          AND EXISTS (SELECT FROM ${SCHEMA}.quarantine q WHERE q.oid = OLD.oid AND q.resolution IS DISTINCT FROM 'dropped') THEN
        RETURN NEW;
      END IF;
      IF OLD.seq = ${QUARANTINED} AND NEW.seq IS NULL
          AND EXISTS (SELECT FROM ${SCHEMA}.quarantine q WHERE q.oid = OLD.oid AND q.resolution = 'released') THEN
        RETURN NEW;
      END IF;
    END IF;
  END IF;
  RAISE EXCEPTION 'a row of the outbox is numbered once, by its record, and never changed';
END $$;
CREATE TRIGGER outbox_moves BEFORE UPDATE ON ${SCHEMA}.outbox FOR EACH ROW EXECUTE FUNCTION ${SCHEMA}.outbox_moves();
CREATE INDEX evidence_approval ON ${SCHEMA}.evidence ((${subjectIn('data', 'approval')})) WHERE type = 'approval' AND data IS NOT NULL;
CREATE INDEX evidence_result ON ${SCHEMA}.evidence ((${subjectIn('data', 'result')})) WHERE type = 'result' AND data IS NOT NULL;
CREATE TRIGGER outbox_remains BEFORE DELETE OR TRUNCATE ON ${SCHEMA}.outbox FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.refuse();
`;
}

/**
 * The format that a transaction declares, as a setting of its own. From the mark on the tables take nothing from a transaction
 * that declares none: see `MARK`.
 */
export const FORMAT = 2;
export const FORMAT_SETTING = `${SCHEMA}.format`;

/**
 * From here on programs of format 1 are refused: what they insert, and what they read the keys from. A record is erased only
 * after the record that names it, and a record that explains an erasure stays.
 */
export const MARK = `
DROP VIEW ${SCHEMA}.chain_key;
CREATE FUNCTION ${SCHEMA}.require_format() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_setting('${FORMAT_SETTING}', true) IS DISTINCT FROM '${FORMAT}' THEN
    RAISE EXCEPTION 'this program writes an older format than the evidence chain has';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER outbox_format BEFORE INSERT ON ${SCHEMA}.outbox FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.require_format();
CREATE TRIGGER evidence_format BEFORE INSERT ON ${SCHEMA}.evidence FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.require_format();
CREATE FUNCTION ${SCHEMA}.evidence_erases() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- The texts are canonical: a quotation mark inside of a value has a backslash before it.
  IF OLD.type NOT IN ('genesis', 'key', 'admin_action')
      AND EXISTS (SELECT FROM ${SCHEMA}.evidence e WHERE e.type = 'admin_action' AND e.seq > OLD.seq
        AND e.data LIKE '{"action":"evidence.erase",%' AND e.data ~ ('"seq":' || OLD.seq || '[,}]')) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a record is erased only after a record that names it';
END $$;
CREATE TRIGGER evidence_stays_named BEFORE UPDATE ON ${SCHEMA}.evidence FOR EACH ROW
  WHEN (NEW.data IS NULL AND OLD.data IS NOT NULL) EXECUTE FUNCTION ${SCHEMA}.evidence_erases();
`;
