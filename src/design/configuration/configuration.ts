/** A trial's data types, stages and anchors, read and compiled once for every request that needs them. */
import type { Db } from '#db/open'
import { type AnchorRow, anchorsOf } from '#design/anchors/store'
import { type DataTypeRow, dataTypesOf } from '#design/dataTypes/store'
import { compileForm, type Form } from '#design/forms/form'
import { inheritFlags } from '#design/hiddenFields/inheritedFlags'
import { type CompiledTimeline, compileTimeline } from '#design/schedule/rules'
import { revisionOf, type StageRow, stagesOf } from '#design/stages/store'
import { inLanguage, languagesIn } from '#design/translations/rules'
import { dataTypeTexts, stageTexts, type TextKind } from '#design/translations/textKinds'
import type { Id } from '#kernel/id'
import { languageVariants } from '#kernel/template'

/** The compiled configuration of a trial. All requests share it: never modify it. */
export type Configuration = {
  /** By `_id`, oldest first. */
  readonly dataTypes: ReadonlyMap<Id, DataTypeRow>
  /** The same, but each calculation also has the flags of everything that it is computed from; built on first use. */
  readonly withInheritedFlags: ReadonlyMap<Id, DataTypeRow>
  /** By `_id`, in the stages' order. */
  readonly stages: ReadonlyMap<Id, StageRow>
  /** The stages in order: each one's `index` is its place. */
  readonly stageOrder: readonly StageRow[]
  readonly anchors: readonly AnchorRow[]
  /** All stages, compiled for `timelineOf`, `progressOf` and `openingOf`; built on first use. */
  readonly timeline: CompiledTimeline
  /** A stage of the trial, compiled for `fillForm`; built on first use. */
  form(stage: Id): Form
  /** The data types of the field components of a stage of the trial, in component order, calculations included. */
  fieldsOf(stage: Id): readonly Id[]
  /** The same in the language of the study's texts; of a configuration in that language, itself. */
  readonly source: Configuration
  /** The same with the texts in a language, as far as they are translated; built on first use. Null for the source. */
  in(language: string | null): Configuration
}

/** The size of each of the two generations of the cache, in trials. */
const CACHE_SIZE = 32

type Cache = { recent: Map<Id, CacheEntry>; older: Map<Id, CacheEntry> }
type CacheEntry = { revision: number; configuration: Configuration }

const caches = new WeakMap<Db, Cache>()

/**
 * The compiled configuration of a trial, from the cache if it has not changed. Each change of the configuration gives the
 * trial a new random `revision`, so a cached configuration is never stale.
 * @param trial as read in this transaction; read it again after a change within the transaction
 */
export function configuration(db: Db, trial: { _id: Id; revision: number }): Configuration {
  let cache = caches.get(db)
  if (!cache) caches.set(db, (cache = { recent: new Map(), older: new Map() }))
  const recent = cache.recent.get(trial._id)
  if (recent?.revision === trial.revision) return recent.configuration
  let entry = cache.older.get(trial._id)
  if (entry?.revision !== trial.revision) entry = load(db, trial._id)
  if (cache.recent.size >= CACHE_SIZE) {
    cache.older = cache.recent
    cache.recent = new Map()
  }
  cache.recent.set(trial._id, entry)
  return entry.configuration
}

/** Reads rows and revision in one transaction, so that the cache never holds rows under the revision of another state. */
const load = (db: Db, trial: Id): CacheEntry =>
  db.transaction(() => ({
    revision: revisionOf(db, trial),
    configuration: compile(dataTypesOf(db, trial), stagesOf(db, trial), anchorsOf(db, trial)),
  }))

/**
 * A configuration made of these rows, outside the cache.
 * @param stageOrder the stages in their order
 * @param source the configuration of which this one is a translation
 */
export function compile(
  dataTypeList: readonly DataTypeRow[],
  stageOrder: readonly StageRow[],
  anchors: readonly AnchorRow[],
  source?: Configuration,
): Configuration {
  const dataTypes = new Map(dataTypeList.map((dataType) => [dataType._id, dataType]))
  const stages = new Map(stageOrder.map((stage) => [stage._id, stage]))
  const fields = oncePerKey((stage) => stages.get(stage)!.components.flatMap(({ dataType }) => dataType ?? []))
  const forms = oncePerKey((stage) => compileForm(stages.get(stage)!, dataTypes))
  let timeline: CompiledTimeline | undefined
  let withInheritedFlags: ReadonlyMap<Id, DataTypeRow> | undefined
  const inLanguages = oncePerKey((language) => translate(compiled, language))
  const compiled: Configuration = {
    dataTypes,
    get withInheritedFlags() {
      withInheritedFlags ??= inheritFlags(dataTypes)
      return withInheritedFlags
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
    get source() {
      return source ?? compiled
    },
    in: (language) => (source ? source.in(language) : language === null ? compiled : inLanguages(language)),
  }
  return compiled
}

/** The configuration in a language; the source itself if nothing is translated. */
function translate(source: Configuration, language: string): Configuration {
  const wanted = languageVariants(language)
  const has = (kind: TextKind) => (each: object) => wanted.some((one) => languagesIn(each, kind).has(one))
  if (![...source.dataTypes.values()].some(has(dataTypeTexts)) && !source.stageOrder.some(has(stageTexts)))
    return source
  const types = [...source.dataTypes.values()].map((each) => inLanguage(each, dataTypeTexts, language))
  const stages = source.stageOrder.map((each) => inLanguage(each, stageTexts, language))
  return compile(types, stages, source.anchors, source)
}

function oncePerKey<T>(make: (stage: Id) => T): (stage: Id) => T {
  const values = new Map<Id, T>()
  return (stage) => {
    let value = values.get(stage)
    if (value === undefined) values.set(stage, (value = make(stage)))
    return value
  }
}
