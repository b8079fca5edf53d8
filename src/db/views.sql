-- Responses and submissions refer to participants, stages and layouts by key. These views show them with the _id of each, under
-- the names that everything outside the database uses. A join that a query does not need costs nothing: SQLite leaves it out.
-- A response whose submission was lost to damage (`restore --damaged`) has no answers, and `verify` reports it.
CREATE VIEW responses AS
SELECT
  r._id,
  r.createdAt,
  r.updatedAt,
  s.trial,
  s._id AS stage,
  r.stageRecurrence,
  p._id AS participant,
  l._id AS layout,
  coalesce((SELECT m."values" FROM storedSubmissions m WHERE m._id = r.submission), '[]') AS "values",
  coalesce(r.sources, CAST(r.submission AS TEXT)) AS sources,
  r.score,
  r.status,
  r.partialSubmission,
  r.marks
FROM storedResponses r
LEFT JOIN stages s ON s.key = r.stage
LEFT JOIN layouts l ON l.key = r.layout
LEFT JOIN participants p ON p.key = r.participant;

CREATE VIEW submissions AS
SELECT
  m._id,
  m.at,
  m.response,
  l.trial,
  l.stage,
  m.stageRecurrence,
  m.participant,
  l._id AS layout,
  m.fields,
  m."values",
  m.entered,
  m.score,
  m.partialSubmission,
  m.createdBy,
  m.createdByType,
  m.address,
  m.device,
  m.updateNote,
  m.entry,
  m.sentLate
FROM storedSubmissions m
LEFT JOIN layouts l ON l.key = m.layout;

-- For people who open the database with any SQLite browser: one row for each field of a response that is answered, as it is
-- now. A list is JSON text. `createdAt` (UTC) and `createdBy` are of the submission that the answer came from: the e-mail
-- address of an account, or the ID of a participant. It shows everything, also what the service hides from some accounts.
CREATE VIEW answers AS
SELECT
  t.code AS trialCode,
  t.name AS trialName,
  p.id AS participant,
  s.name AS stage,
  r.stageRecurrence,
  coalesce(d.code, field.value) AS dataTypeCode,
  d.name AS dataTypeName,
  CAST(r."values" ->> field.fullkey AS TEXT) AS value,
  strftime('%Y-%m-%dT%H:%M:%fZ', m.at / 1000000.0, 'unixepoch') AS createdAt,
  coalesce(u.email, q.id, m.createdBy) AS createdBy,
  r._id AS response
FROM responses r
JOIN layouts l ON l._id = r.layout
JOIN json_each(l.dataTypes) AS field
JOIN trials t ON t._id = r.trial
JOIN stages s ON s._id = r.stage
LEFT JOIN dataTypes d ON d._id = field.value
LEFT JOIN participants p ON p._id = r.participant
LEFT JOIN submissions m
  ON m._id = r.sources ->> CASE json_type(r.sources) WHEN 'integer' THEN '$' ELSE field.fullkey END
LEFT JOIN users u ON m.createdByType = 'user' AND u._id = m.createdBy
LEFT JOIN participants q ON m.createdByType = 'participant' AND q._id = m.createdBy
WHERE r."values" ->> field.fullkey IS NOT NULL;
