/** The stored data from which timelines are computed. Plain SQL, as every submission reads them. */
import { dropKeptRows } from '#db/commit'
import { consentStopsMessages } from '#db/consentState'
import type { Db } from '#db/open'
import { deleteWhere, rowsWhere, rowWhere, updateWhere, upsert } from '#db/rows'
import { participantAnchors, participants, stageOverrides, trials } from '#db/tables/index'
import type { StageOverride, TimelineInput } from '#design/schedule/rules'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export const anchorsOfParticipant = (db: Db, participant: Id): Map<Id, Instant> =>
  new Map(
    rowsWhere(db, participantAnchors, { participant }).flatMap(({ anchor, datetime }): [Id, Instant][] =>
      datetime === null ? [] : [[anchor, datetime]],
    ),
  )

export const setAnchor = (db: Db, participant: Id, anchor: Id, datetime: Instant) =>
  upsert(db, participantAnchors, { participant, anchor, datetime }, 'participant', 'anchor')

/** Clears the date as staff do: the row stays, so that no milestone sets it again. Returns whether there was a date. */
export function clearAnchor(db: Db, participant: Id, anchor: Id): boolean {
  const set = rowWhere(db, participantAnchors, { participant, anchor })
  if (set?.datetime == null) return false
  return updateWhere(db, participantAnchors, { participant, anchor }, { datetime: null }) > 0
}

/** Deletes the date, so that a milestone can set it again. */
export const deleteAnchorDate = (db: Db, participant: Id, anchor: Id) =>
  deleteWhere(db, participantAnchors, { participant, anchor })

/** The anchors that have a date for the participant, or had one that staff cleared. */
export const anchorsSetOrCleared = (db: Db, participant: Id): Set<Id> =>
  new Set(rowsWhere(db, participantAnchors, { participant }).map(({ anchor }) => anchor))

/** The time of the first submission of each occurrence, by `<stageId>::<n>`. */
export const completionsOf = (db: Db, participant: Id): Map<string, Instant> =>
  new Map(
    db.$client
      .query<{ stage: Id; n: number; at: Instant }, [{ participant: Id }]>(
        'SELECT stage, stageRecurrence AS n, createdAt AS at FROM responses WHERE participant = +$participant',
      )
      .all({ participant })
      .map(({ stage, n, at }) => [`${stage}::${n}`, at]),
  )

export const overridesOf = (db: Db, participant: Id) =>
  rowsWhere(db, stageOverrides, { participant }).map(({ participant: _, ...override }) => override)

/** The stored data of one participant from which the timeline is computed. */
export type TimelineData = Pick<TimelineInput, 'sites' | 'groups' | 'anchors' | 'completions' | 'overrides'>

/** The same as texts. Lists of ids are joined with commas, which costs half of JSON; NULL if empty. */
type StoredData = Record<keyof TimelineData, string | null>

/** The columns of `StoredData`, of the participant `p` of the statement. */
const dataColumns = (completion: string) => `
  (SELECT group_concat(site) FROM participantSites WHERE participant = p._id) AS sites,
  (SELECT group_concat("group") FROM participantGroups WHERE participant = p._id) AS groups,
  (SELECT group_concat(anchor || '=' || datetime) FROM participantAnchors
    WHERE participant = p._id AND datetime IS NOT NULL) AS anchors,
  (SELECT group_concat(${completion}) FROM storedResponses r JOIN stages s ON s.key = r.stage
    WHERE r.participant = p.key) AS completions,
  (SELECT nullif(json_group_array(json_object('stage', stage, 'stageRecurrence', stageRecurrence, 'enableAt', enableAt,
    'applyToAllRecurrences', json(iif(applyToAllRecurrences, 'true', 'false')))), '[]') FROM stageOverrides
    WHERE participant = p._id) AS overrides`
const timelineDataSql = (columns: string) => `SELECT ${columns} FROM participants p WHERE p._id = +$participant`
// An index has the occurrences, but the times only the responses, whose pages are many.
const DATA_WITHOUT_TIMES = dataColumns(`s._id || '::' || r.stageRecurrence`)
const WITHOUT_TIMES = timelineDataSql(DATA_WITHOUT_TIMES)
const WITH_TIMES = timelineDataSql(dataColumns(`s._id || '::' || r.stageRecurrence || '=' || r.createdAt`))

const listFrom = (list: string | null): string[] => (list === null ? [] : list.split(','))

/** The numbers of a list such as `<key>=<number>,<key>`, by key; 0 for a key without a number. */
function numbersFrom(list: string | null): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const entry of listFrom(list)) {
    const end = entry.indexOf('=')
    if (end < 0) numbers.set(entry, 0)
    else numbers.set(entry.slice(0, end), Number(entry.slice(end + 1)))
  }
  return numbers
}

const dataFrom = ({ sites, groups, anchors, completions, overrides }: StoredData): TimelineData => ({
  sites: listFrom(sites),
  groups: listFrom(groups),
  anchors: numbersFrom(anchors),
  completions: numbersFrom(completions),
  overrides: overrides === null ? [] : JSON.parse(overrides),
})

/** A participant who does not exist has none. */
const NO_DATA: StoredData = { sites: null, groups: null, anchors: null, completions: null, overrides: null }

/** @param hasTimes whether the times of completions are needed; without, each is 0 */
export const timelineDataOf = (db: Db, participant: Id, hasTimes: boolean): TimelineData =>
  dataFrom(
    db.$client.query<StoredData, [{ participant: Id }]>(hasTimes ? WITH_TIMES : WITHOUT_TIMES).get({ participant }) ??
      NO_DATA,
  )

/** Saves an override; it replaces the one that the occurrence has. */
export function setOverride(db: Db, participant: Id, override: StageOverride): void {
  upsert(db, stageOverrides, { ...override, participant }, 'participant', 'stage', 'stageRecurrence')
}

export const clearOverride = (db: Db, participant: Id, stage: Id, n: number) =>
  deleteWhere(db, stageOverrides, { participant, stage, stageRecurrence: n })

/** The fields of a participant from which the timeline is computed. */
export type TimelineParticipant = { _id: Id; trial: Id; createdAt: Instant; timezone: string | null }

/** The stored progress of a participant, and when to recalculate it. */
type ProgressValues = { ratio: number; behind: number; progressDueAt: Instant | null; remindersDueAt: Instant | null }

/**
 * A participant whose progress is to be recalculated, with the stored progress. `isReminded`: neither archived nor withdrawn,
 * and messages go on.
 * `scheduleDigest`: of the stored runs (`scheduleRuns`).
 */
export type DueParticipant = TimelineParticipant &
  ProgressValues & { joinedAt: Instant | null; isReminded: number; scheduleDigest: number }

const DUE_COLUMNS = `p._id, p.trial, p.createdAt, p.joinedAt, p.timezone,
  p.isArchived = 0 AND p.isWithdrawn = 0 AND NOT ${consentStopsMessages('p._id', 'p.trial')} AS isReminded, p.ratioComplete AS ratio, p.stagesBehindSchedule AS behind, p.progressDueAt, p.remindersDueAt, p.scheduleDigest`

/**
 * A page of a trial's participants, in the order of their `_id`. It is read by that key: by the indexes of the trial, SQLite would
 * read and sort the whole trial for each page.
 */
export const participantsAfter = (db: Db, trial: Id, after: Id, limit: number) =>
  db.$client
    .query<DueParticipant, [{ trial: Id; after: Id; limit: number }]>(
      `SELECT ${DUE_COLUMNS} FROM participants p WHERE +p.trial = $trial AND _id > $after ORDER BY _id LIMIT +$limit`,
    )
    .all({ trial, after, limit })

/** Stores the progress of a participant where it differs: each index of a column that is set is written, whatever its value. */
export function saveProgress(
  db: Db,
  before: DueParticipant,
  { ratio, behind, progressDueAt, remindersDueAt }: ProgressValues,
): void {
  const change: Partial<typeof participants.$inferInsert> = {}
  if (ratio !== before.ratio) change.ratioComplete = ratio
  if (progressDueAt !== before.progressDueAt) change.progressDueAt = progressDueAt
  if (behind !== before.behind) change.stagesBehindSchedule = behind
  if (remindersDueAt !== before.remindersDueAt) change.remindersDueAt = remindersDueAt
  updateWhere(db, participants, { _id: before._id }, change)
}

/**
 * The fields of a trial from which timelines are computed. `isOpen`: neither archived nor with a locked database.
 * `sendsNotices`: participants who are behind schedule get notices.
 */
export type TrialRevision = {
  _id: Id
  revision: number
  timezone: string | null
  participantCount: number
  isOpen: number
  sendsNotices: number
}

const TRIAL_COLUMNS = `t.revision, t.participantCount, t.isArchived = 0 AND t.isDatabaseLocked = 0 AS isOpen,
  t.behindScheduleNotices <> '[]' AS sendsNotices`
const REVISION = `SELECT _id, timezone, ${TRIAL_COLUMNS} FROM trials t`

/** The most participants whose due progress one transaction recalculates. */
export const MOST_DUE = 100

// Constants: a text that is put together at each call, and a parameter as the limit, each make the statement several times as slow.
// With the data of the timeline, as nearly every submission makes one participant due.
const DUE_WITH_TRIAL = `SELECT ${DUE_COLUMNS}, t.timezone AS trialTimezone, ${TRIAL_COLUMNS}, ${DATA_WITHOUT_TIMES}
  FROM participants p JOIN trials t ON t._id = p.trial
  WHERE p.progressDueAt <= +$now ORDER BY p.progressDueAt LIMIT ${MOST_DUE}`
const OUTDATED = `${REVISION} WHERE revision <> progressRevision AND _id = $trial`

type DueRow = DueParticipant & StoredData & Omit<TrialRevision, '_id' | 'timezone'> & { trialTimezone: string | null }

/**
 * The participants who are due longest, at most `MOST_DUE`, with their trials and the data of their timelines, without the times of
 * completions. Every write runs this query, and nearly always no other participant is due.
 */
export const dueParticipants = (db: Db, now: Instant) =>
  db.$client
    .query<DueRow, [{ now: Instant }]>(DUE_WITH_TRIAL)
    .all({ now })
    .map((row) => ({
      participant: row,
      trial: { ...row, _id: row.trial, timezone: row.trialTimezone },
      data: dataFrom(row),
    }))

/** The next trial, by `_id`, whose configuration changed since its participants' progress was calculated. */
export const nextOutdatedTrial = (db: Db, after: Id) =>
  db.$client
    .query<TrialRevision, [{ after: Id }]>(
      `${REVISION} WHERE revision <> progressRevision AND _id > $after ORDER BY _id LIMIT 1`,
    )
    .get({ after }) ?? undefined

/** The trial, if its progress is older than its configuration; else undefined. Nearly every write of staff runs this query. */
export const outdatedTrial = (db: Db, trial: Id) =>
  db.$client.query<TrialRevision, [{ trial: Id }]>(OUTDATED).get({ trial }) ?? undefined

/** Whether anybody in the trial is due because data changed, not because time passed. */
export const hasChangedParticipants = (db: Db, trial: Id): boolean =>
  rowWhere(db, participants, { progressDueAt: 0, trial }) !== undefined

/**
 * Clears the due marks of a trial that is recalculated in the background: otherwise every write would recalculate some of
 * them.
 */
export const clearChangeMarks = (db: Db, trial: Id) =>
  updateWhere(db, participants, { progressDueAt: 0, trial }, { progressDueAt: null })

/** Marks the whole trial for recalculation, though its configuration did not change. */
export const markOutdated = (db: Db, trial: Id) => saveProgressRevision(db, trial, -1)

export function saveProgressRevision(db: Db, trial: Id, revision: number): void {
  updateWhere(db, trials, { _id: trial }, { progressRevision: revision })
  dropKeptRows(db)
}

export const revisionOf = (db: Db, trial: Id) =>
  db.$client.query<TrialRevision, [{ trial: Id }]>(`${REVISION} WHERE _id = $trial`).get({ trial }) ?? undefined
