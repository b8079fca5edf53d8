/** A trial's data types, stages and anchors, read and compiled once for every request that needs them. */
import type { Db } from '#db/open'
import { type AnchorRow, anchorsOf } from '#design/anchors/store'
import { type DataTypeRow, dataTypesOf } from '#design/dataTypes/store'
import { compileForm, type Form } from '#design/forms/form'
import { type CompiledTimeline, compileTimeline } from '#design/schedule/rules'
import { revisionOf, type StageRow, stagesOf } from '#design/stages/store'
import type { Id } from '#kernel/id'
import { guarded } from './guarded'

/** Shared by all requests: read it, never change what is in it. */
export type Configuration = {
  /** By `_id`, oldest first. */
  readonly dataTypes: ReadonlyMap<Id, DataTypeRow>
  /** The same as they are hidden: with the flags of all that a calculation is computed from; built when first asked for. */
  readonly guarded: ReadonlyMap<Id, DataTypeRow>
  /** By `_id`, in the stages' order. */
  readonly stages: ReadonlyMap<Id, StageRow>
  /** The stages in order: each one's `index` is its place. */
  readonly stageOrder: readonly StageRow[]
  readonly anchors: readonly AnchorRow[]
  /** All stages compiled for `timelineOf`, `progressOf` and `openingOf`; built when first asked for. */
  readonly timeline: CompiledTimeline
  /** A stage of the trial compiled for `fillForm`; built when first asked for. */
  form(stage: Id): Form
  /** The data types of the field components of a stage of the trial, in component order, calculations included. */
  fieldsOf(stage: Id): readonly Id[]
}

/** How many trials are kept compiled: those used since the last so many others were, and the same number before them. */
const KEPT = 32

type Cache = { recent: Map<Id, Kept>; older: Map<Id, Kept> }
type Kept = { revision: number; configuration: Configuration }

const caches = new WeakMap<Db, Cache>()

/**
 * What the trial's participants are asked, and when. One look-up while nothing changes: `revision` is a fresh random stamp
 * after every change of the configuration, so what is kept is never stale.
 * @param trial as it was read in this transaction; after a change within it, read the trial again
 */
export function configuration(db: Db, trial: { _id: Id; revision: number }): Configuration {
  let cache = caches.get(db)
  if (!cache) caches.set(db, (cache = { recent: new Map(), older: new Map() }))
  const recent = cache.recent.get(trial._id)
  if (recent?.revision === trial.revision) return recent.configuration
  let kept = cache.older.get(trial._id)
  if (kept?.revision !== trial.revision) kept = load(db, trial._id)
  if (cache.recent.size >= KEPT) {
    cache.older = cache.recent
    cache.recent = new Map()
  }
  cache.recent.set(trial._id, kept)
  return kept.configuration
}

/** Reads rows and revision from one state of the database, so that rows are never kept under another state's revision. */
const load = (db: Db, trial: Id): Kept =>
  db.transaction(() => ({
    revision: revisionOf(db, trial),
    configuration: compile(dataTypesOf(db, trial), stagesOf(db, trial), anchorsOf(db, trial)),
  }))

/** A configuration of these rows, kept by nobody. @param stageOrder in order */
export function compile(typeList: DataTypeRow[], stageOrder: StageRow[], anchors: AnchorRow[]): Configuration {
  const dataTypes = new Map(typeList.map((dataType) => [dataType._id, dataType]))
  const stages = new Map(stageOrder.map((stage) => [stage._id, stage]))
  const fields = remembered((stage) => stages.get(stage)!.components.flatMap(({ dataType }) => dataType ?? []))
  const forms = remembered((stage) => compileForm(stages.get(stage)!, dataTypes))
  let timeline: CompiledTimeline | undefined
  let hiding: ReadonlyMap<Id, DataTypeRow> | undefined
  return {
    dataTypes,
    get guarded() {
      hiding ??= guarded(dataTypes)
      return hiding
    },
    stages,
    stageOrder,
    anchors,
    get timeline() {
      timeline ??= compileTimeline(stageOrder)
      return timeline
    },
    form: forms,
    fieldsOf: fields,
  }
}

function remembered<T>(make: (stage: Id) => T): (stage: Id) => T {
  const made = new Map<Id, T>()
  return (stage) => {
    let value = made.get(stage)
    if (value === undefined) made.set(stage, (value = make(stage)))
    return value
  }
}
