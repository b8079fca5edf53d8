import { and, count, eq, gte, inArray } from 'drizzle-orm'
import { concealedIds } from '#access/armConcealmentStore'
import type { Db } from '#db/open'
import { insert, rowsWhere, updateWhere } from '#db/rows'
import { type groups, responses, type sites, stages, trials } from '#db/tables/index'
import type { TranslationSources } from '#design/translations/sources'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { StageInput } from './model'

type CompleteStage = { [Field in keyof StageInput]-?: Exclude<StageInput[Field], undefined> }

/**
 * A stage with all fields, including those that were never set. `translatedFrom`: the texts from which its translations were
 * made.
 */
export type StageRow = { _id: Id; createdAt: Instant; trial: Id; translatedFrom?: TranslationSources } & CompleteStage

/** The fields that have columns of their own; all others are stored together in `settings`. */
type Column = '_id' | 'createdAt' | 'trial' | 'index' | 'name' | 'description' | 'enabled' | 'components'

/** The defaults of a new stage. */
export const stageDefaults: Omit<StageRow, '_id' | 'createdAt' | 'trial' | 'index' | 'name'> = {
  description: null,
  enabled: true,
  components: [],
  adHoc: false,
  postSubmissionText: null,
  allowIncompleteSubmission: false,
  oneQuestionPerScreen: false,
  showProgressBar: false,
  availableToSites: null,
  availableToGroups: null,
  isRecurring: false,
  recurringFrequency: null,
  recurringDuration: null,
  recurrenceNames: null,
  enableAfter: null,
  enableAtTime: null,
  availabilityWindowHours: null,
  exemptFromBehindStatus: false,
  behindCutoffTime: null,
  reminders: [],
  isAnchored: false,
  anchorSchedule: null,
  isPoll: false,
  pollSettings: null,
  customLinks: [],
  onSubmitRules: [],
  requiresConsent: [],
  translations: null,
}

const toRow = ({ settings, ...columns }: typeof stages.$inferSelect): StageRow =>
  ({ ...stageDefaults, ...settings, ...columns }) as StageRow

function toColumns(stage: StageRow): typeof stages.$inferInsert {
  const { _id, createdAt, trial, index, name, description, enabled, components, ...settings } = stage
  const columns: Pick<StageRow, Column> = { _id, createdAt, trial, index, name, description, enabled, components }
  return { ...columns, settings }
}

/** The stages of a trial in order. Frequent readers use the cached `configuration` instead. */
export const stagesOf = (db: Db, trial: Id): StageRow[] => rowsWhere(db, stages, { trial }, 'index', '_id').map(toRow)

/** The revision under which a trial's configuration is cached; 0 if there is no such trial. */
export const revisionOf = (db: Db, _id: Id): number =>
  db.select({ revision: trials.revision }).from(trials).where(eq(trials._id, _id)).get()?.revision ?? 0

/** The trial of a stage; undefined if there is no such stage. */
export const trialOfStage = (db: Db, _id: Id): Id | undefined =>
  db.select({ trial: stages.trial }).from(stages).where(eq(stages._id, _id)).get()?.trial

export const insertStage = (db: Db, stage: StageRow) => insert(db, stages, toColumns(stage))

export const updateStage = (db: Db, stage: StageRow) => updateWhere(db, stages, { _id: stage._id }, toColumns(stage))

export const deleteStages = (db: Db, ids: Id[]) => db.delete(stages).where(inArray(stages._id, ids)).run()

/** The number of responses of a stage from an occurrence on. Slow if there are many: used only to refuse a loss of responses. */
export const countResponses = (db: Db, stage: Id, from = 0): number =>
  db
    .select({ count: count() })
    .from(responses)
    .where(and(eq(responses.stage, stage), from ? gte(responses.stageRecurrence, from) : undefined))
    .get()!.count

/** The `_id`s of a trial's sites or groups, without groups that are concealed arms: a stage for one would show who is in it. */
export function placesOf(db: Db, table: typeof sites | typeof groups, trial: Id): Set<Id> {
  const rows = db.select({ _id: table._id }).from(table).where(eq(table.trial, trial)).all()
  const concealed = concealedIds(db, trial)
  return new Set(rows.map(({ _id }) => _id).filter((_id) => !concealed.has(_id)))
}
