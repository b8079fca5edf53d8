/** The checklist of the essential records: which are there, and which are lacking, by place. */
import { type Access, holds } from '#access/caller'
import type { Key } from '#access/keys'
import type { Db } from '#db/open'
import { type Site, siteById, sitesOf } from '#design/sites/store'
import type { Trial } from '#design/trials/store'
import { dayNumber } from '#kernel/calendar'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { fileScopeOf, placesOf } from '#office/files/rules'
import { todayOf } from '#office/training/views'
import { endingTrainings, hasDestroyedPacks, hasPacks, hasRandomisation, siteEvidence } from './evidenceStore'
import { essentialRecords, type LevelledRecord } from './records'
import type { Source, Stage } from './recordType'
import { type Evidence, EXPIRING_DAYS, isLacking, type State, stageOfSite, stageOfTrial, stateOf } from './rules'
import { type ExemptionRow, exemptionsOf, filesOfRecord, type RecordFile } from './store'

/** The day of a trial, and the last one that counts as soon. */
export type Days = { today: string; soon: string }

export function daysOf(trial: Pick<Trial, 'timezone'>, now: Instant): Days {
  const today = todayOf(trial, now)
  const soon = new Date((dayNumber(today)! + EXPIRING_DAYS) * 86_400_000).toISOString().slice(0, 10)
  return { today, soon }
}

/** What is read of a checklist. */
export type ChecklistContext = Days & { db: Db; trial: Trial; access: Access }

/** The places whose files a person may read: null is the whole trial. @param only one of them */
export function placesFor({ db, trial, access }: Pick<ChecklistContext, 'db' | 'trial' | 'access'>, only?: Id | null) {
  const { approved } = fileScopeOf(access)
  const visible = approved === 'all' ? approved : { sites: approved, groups: [] }
  const sites = sitesOf(db, trial._id, visible).map(({ _id }) => _id)
  const all: (Id | null)[] = approved === 'all' ? [null, ...sites] : sites
  return only === undefined ? all : all.filter((each) => each === only)
}

/** Something of a record that each person has, which expires soon or has expired. `file` is null for an entry of a training log. */
type ExpiringItem = { file: Id | null; name: string; expiresAt: string }

export type ChecklistEntry = {
  record: LevelledRecord
  state: State
  files: (Omit<RecordFile, 'approvedUntil'> & { expiresAt: string | null })[]
  outdated: ExpiringItem[]
  exemption: ExemptionRow | undefined
}

const KEYS: Partial<Record<Source, Key>> = {
  ...{ delegations: 'readSites', trainings: 'readSites', selectionVisits: 'readSites', monitoringVisits: 'readSites' },
  ...{ packs: 'listPacks', destroyedPacks: 'listPacks', randomisations: 'readRandomisation' },
}

type PlaceContext = ChecklistContext & { site: Site | null; stage: Stage }

const mayReadSource = ({ access, site }: PlaceContext, source: Source): boolean => {
  const key = KEYS[source]
  return key === undefined || holds(access, key, placesOf(site?._id ?? null))
}

function trialEvidence({ db, trial }: PlaceContext, source: Source): Evidence {
  if (source === 'packs') return hasPacks(db, trial._id)
  if (source === 'randomisations') return hasRandomisation(db, trial._id)
  if (source === 'destroyedPacks') return hasDestroyedPacks(db, trial._id)
  const counts: Partial<Record<Source, number>> = {
    ...{ forms: trial.stageCount, participants: trial.participantCount, responses: trial.responseCount },
  }
  return (counts[source] ?? 0) > 0 ? 'found' : 'nothing'
}

function evidenceOf(context: PlaceContext, source: Source | undefined): Evidence {
  if (source === undefined) return 'nothing'
  if (!mayReadSource(context, source)) return 'hidden'
  return context.site
    ? siteEvidence[source](context.db, context.site._id, context.today)
    : trialEvidence(context, source)
}

/** A version that does not expire has the last day that there is. */
const expiryOf = ({ approvedUntil }: RecordFile) => (approvedUntil === '9999-12-31' ? null : approvedUntil)

function expiringItems(context: PlaceContext, record: LevelledRecord): ExpiringItem[] {
  if (!record.isPersonal) return []
  const { db, trial, site, today, soon } = context
  const files = filesOfRecord(db, site?._id ?? trial._id, record, { approved: true, until: soon })
  const trainings =
    record.source === 'trainings' && site && mayReadSource(context, record.source)
      ? endingTrainings(db, site._id, soon, today)
      : []
  return [
    ...files.map((row) => ({ file: row._id, name: row.name, expiresAt: row.approvedUntil! })),
    ...trainings.map(({ userName, training, expiresOn }) => ({
      ...{ file: null, name: `${userName}: ${training}`, expiresAt: expiresOn! },
    })),
  ]
}

function entryOf(
  context: PlaceContext,
  record: LevelledRecord,
  isWhole: boolean,
  exemption: ExemptionRow | undefined,
): ChecklistEntry {
  const { db, trial, site } = context
  const files = filesOfRecord(db, site?._id ?? trial._id, record, { approved: !isWhole })
  const outdated = expiringItems(context, record)
  const found = {
    isExempt: exemption !== undefined,
    until: files[0] ? files[0].approvedUntil : undefined,
    evidence: evidenceOf(context, record.source),
    outdated: outdated.map(({ expiresAt }) => expiresAt),
  }
  const shown = files.map((row) => ({
    ...{ _id: row._id, name: row.name, expiresAt: expiryOf(row) },
    status: isWhole ? row.status : ('approved' as const),
  }))
  return { record, state: stateOf(record, context.stage, found, context), files: shown, outdated, exemption }
}

export type PlaceChecklist = { site: Site | null; stage: Stage; lacking: number; entries: ChecklistEntry[] }

/** The records of a place. A trial without sites is its own site. */
function recordsAt({ db, trial }: ChecklistContext, site: Site | null): readonly LevelledRecord[] {
  if (site) return essentialRecords.filter(({ level }) => level === 'site')
  const hasSites = sitesOf(db, trial._id, 'all').length > 0
  return hasSites ? essentialRecords.filter(({ level }) => level === 'trial') : essentialRecords
}

/** The checklist of a place that `placesFor` returned. */
export function checklistOf(context: ChecklistContext, place: Id | null): PlaceChecklist {
  const { db, trial, access } = context
  const site = place === null ? null : siteById(db, place)!
  const trialStage = stageOfTrial(trial)
  const stage = site ? stageOfSite({ ...site, enrolled: site.enrolled ?? 0 }, trialStage) : trialStage
  const { whole } = fileScopeOf(access)
  const isWhole = whole === 'all' || (place !== null && whole.includes(place))
  const exemptions = [trial._id, ...(place === null ? [] : [place])].flatMap((each) =>
    exemptionsOf(db, trial._id, each),
  )
  const entries = recordsAt(context, site).map((record) =>
    entryOf(
      { ...context, site, stage },
      record,
      isWhole,
      exemptions.findLast((each) => each.record === record.id),
    ),
  )
  return { site, stage, lacking: entries.filter(({ state }) => isLacking(state)).length, entries }
}
