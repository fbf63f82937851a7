#include "store/schema.h"

#include <array>

namespace precedent {
namespace {

// "prec" in ASCII.
constexpr int32_t kApplicationId = 0x70726563;

// Format 1. What is read for every document of a source, or for every list, stays in small rows of
// `documents`; the texts are in tables of their own. Points: a document holds the block [point,
// point + chunk_count] of ids.
constexpr std::string_view kFormat1 = R"sql(
CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('version', 0), ('next_point', 1), ('store_id', random() & 0xffffffff);

CREATE TABLE sources(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE models(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

CREATE TABLE documents(
  point INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  version INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL,
  model INTEGER REFERENCES models(id),
  kind TEXT NOT NULL,
  began_at INTEGER,
  source INTEGER NOT NULL REFERENCES sources(id),
  title_terms INTEGER NOT NULL,
  meta_terms INTEGER NOT NULL,
  heading_terms INTEGER NOT NULL,
  chunk_heading_terms INTEGER NOT NULL,
  body_terms INTEGER NOT NULL,
  title TEXT NOT NULL,
  path TEXT NOT NULL,
  body_line INTEGER NOT NULL,
  services TEXT NOT NULL,
  symptoms TEXT NOT NULL,
  tags TEXT NOT NULL,
  application TEXT NOT NULL,
  application_folded TEXT NOT NULL,
  severity TEXT NOT NULL,
  status TEXT NOT NULL,
  opened_at INTEGER,
  updated_at INTEGER,
  resolved_at INTEGER,
  attributes TEXT NOT NULL);
CREATE INDEX documents_version ON documents(version);
CREATE INDEX documents_kind ON documents(kind, began_at);
CREATE INDEX documents_application ON documents(application_folded, kind, began_at);

CREATE TABLE bodies(point INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE chunks(
  point INTEGER PRIMARY KEY,
  embedding_key TEXT NOT NULL,
  line_begin INTEGER NOT NULL,
  line_end INTEGER NOT NULL,
  heading TEXT NOT NULL,
  text TEXT NOT NULL);

CREATE TABLE removals(id TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX removals_version ON removals(version);

CREATE TABLE vectors(
  id INTEGER PRIMARY KEY,
  model INTEGER NOT NULL REFERENCES models(id),
  embedding_key TEXT NOT NULL,
  vector BLOB NOT NULL);
CREATE UNIQUE INDEX vectors_key ON vectors(model, embedding_key);

CREATE TABLE datasets(
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  collection TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('building', 'active', 'retired')),
  created_at INTEGER NOT NULL,
  index_format INTEGER NOT NULL,
  model_id TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  lengths TEXT NOT NULL);
CREATE UNIQUE INDEX datasets_active ON datasets(state) WHERE state = 'active';
)sql";

// Format 2: verified answers, and what readers thought of answers (knowledge/golden.h).
constexpr std::string_view kFormat2 = R"sql(
CREATE TABLE feedback(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  question TEXT NOT NULL,
  answer TEXT NOT NULL,
  thumb TEXT NOT NULL CHECK (thumb IN ('up', 'down')),
  reason TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'reviewed', 'dismissed')),
  closed_by TEXT,
  closed_at INTEGER,
  note TEXT NOT NULL,
  golden TEXT NOT NULL,
  created_at INTEGER NOT NULL);
CREATE INDEX feedback_state ON feedback(state, id);

CREATE TABLE golden_examples(
  id TEXT PRIMARY KEY,
  question TEXT NOT NULL,
  answer TEXT NOT NULL,
  rejected_answer TEXT NOT NULL,
  source_type TEXT NOT NULL CHECK (source_type IN ('positive', 'negative', 'manual')),
  reviewed_by TEXT,
  reviewed_at INTEGER,
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  sources TEXT NOT NULL,
  tags TEXT NOT NULL,
  feedback INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((reviewed_by IS NULL) = (reviewed_at IS NULL))) WITHOUT ROWID;
)sql";

// Format 3: versions of the incident data (dataset_version.h). `turn` counts activations: what was
// superseded last has the highest.
constexpr std::string_view kFormat3 = R"sql(
CREATE TABLE incident_dataset_versions(
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('draft', 'validated', 'failed', 'ingesting', 'ready',
                                       'active', 'superseded', 'discarded')),
  collection TEXT NOT NULL DEFAULT '',
  records INTEGER NOT NULL DEFAULT 0,
  bad INTEGER NOT NULL DEFAULT 0,
  bare INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  notes TEXT NOT NULL,
  sources TEXT NOT NULL,
  mapping_path TEXT NOT NULL,
  mapping TEXT NOT NULL,
  report TEXT NOT NULL DEFAULT '',
  forced_by TEXT NOT NULL DEFAULT '',
  forced_why TEXT NOT NULL DEFAULT '',
  turn INTEGER NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX incident_dataset_versions_active ON incident_dataset_versions(state)
  WHERE state = 'active';

CREATE TABLE records(hash TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE version_records(
  version INTEGER NOT NULL REFERENCES incident_dataset_versions(number),
  id TEXT NOT NULL,
  hash TEXT NOT NULL REFERENCES records(hash),
  PRIMARY KEY (version, id)) WITHOUT ROWID;
CREATE INDEX version_records_hash ON version_records(hash);
)sql";

constexpr std::array kFormats = {kFormat1, kFormat2, kFormat3};

}  // namespace

const db::Schema& store_schema() {
  static constexpr db::Schema kSchema = {kApplicationId, kFormats};
  return kSchema;
}

}  // namespace precedent
