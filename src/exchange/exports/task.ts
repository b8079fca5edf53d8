/** The input of a worker thread that writes an export: plain JSON, including what the caller may see. */
import { type Access, scopeOf, type VisibleScope } from '#access/caller'
import { type Key, keys } from '#access/keys'
import { PackedAccess } from '#access/packedAccess'
import type { Dataset } from '#conduct/wearables/providers/records'
import type { TaskKind } from '#jobs/kind'
import { anything, flag, id, keyed, list, maybe, oneOf, orNull, shape, text, type ValueOf, whole } from '#wire/schema'

/** Formats of statistics programs: packages of all that is exported, with a codebook. */
export const statisticsTypes = ['spss', 'stata', 'r', 'sas', 'graphpad', 'parquet'] as const
export type StatisticsType = (typeof statisticsTypes)[number]

/** All that is sent as a signed zip: those, the casebooks of participants, and data in the shapes of CDISC. */
export const packageTypes = [...statisticsTypes, 'pdf', 'sdtm', 'odm'] as const
export type PackageType = (typeof packageTypes)[number]

/** The editions of CDISC ODM. */
export const odmVersions = ['1.3.2', '2.0'] as const
export type OdmVersion = (typeof odmVersions)[number]

export const formats = ['json', 'raw', 'csv', 'excel', ...packageTypes] as const

/** The format as that of a package; undefined if it is another. */
export const packageTypeOf = (format: string): PackageType | undefined => packageTypes.find((each) => each === format)

export const columnForms = ['single', 'expanded'] as const
export const valueForms = ['codes', 'labels', 'both'] as const
export const escapes = ['spreadsheet', 'none'] as const

/** What wearables measured, by the names of the datasets in the query of an export. */
export const hardwareDatasets = {
  hardwareDaily: 'daily',
  hardwareSleep: 'sleep',
  hardwareActivity: 'activity',
  hardwareSummary: 'summary',
  hardwareEgv: 'egv',
} as const satisfies Record<string, Dataset>
type HardwareDataset = keyof typeof hardwareDatasets

/** What can be exported of responses: them, the rows of their tables, what was changed, and what the variables mean. */
export const studyDatasets = ['stage', 'table', 'history', 'codebook'] as const

/** What can be exported. */
export const datasets = [
  ...studyDatasets,
  'foodDiary',
  ...(Object.keys(hardwareDatasets) as HardwareDataset[]),
] as const

/** Whether the dataset is made of responses. */
export const isOfResponses = (dataset: (typeof datasets)[number] = 'stage'): boolean =>
  studyDatasets.some((each) => each === dataset)

/** The dataset of wearables that this is; undefined if it is another. */
export const hardwareIn = ({ dataset = 'stage' }: Pick<ExportTask, 'dataset'>): Dataset | undefined =>
  dataset in hardwareDatasets ? hardwareDatasets[dataset as HardwareDataset] : undefined

export const shapes = ['responses', 'wide', 'long'] as const
export const statuses = ['successful', 'unsuccessful', 'none'] as const

/** Which responses are exported: those that fulfil all that is set. */
export const Filters = shape({
  stages: maybe(list(id())),
  sites: maybe(list(id())),
  groups: maybe(list(id())),
  /** When the response was recorded or changed: from the first moment to before the last. */
  from: maybe(whole()),
  before: maybe(whole()),
  status: maybe(list(oneOf(...statuses))),
  /** Bits of `facets` (participants/rules.ts): those of the mask have these values. */
  flags: maybe(shape({ mask: whole(), bits: whole() })),
})
export type Filters = ValueOf<typeof Filters>

export const ExportTask = shape({
  /** The study data if left out. */
  dataset: maybe(oneOf(...datasets)),
  /** `reading` is the body of the GET of one stage's responses. */
  format: oneOf(...formats, 'reading'),
  trial: id(),
  /** Of csv and excel; see `ColumnForm`. A csv has single columns if left out, a workbook expanded ones. */
  columns: maybe(oneOf(...columnForms)),
  /** Single columns have labels if left out, expanded ones codes. */
  values: maybe(oneOf(...valueForms)),
  /** Of csv: `none` leaves text as it is that a spreadsheet would take for a formula. */
  escape: maybe(oneOf(...escapes)),
  /** One row for each response if left out; `wide` has one for each participant, `long` one for each answer. */
  shape: maybe(oneOf(...shapes)),
  /** The table data type, of the dataset `table` as csv. */
  table: maybe(id()),
  filters: maybe(Filters),
  /** Of casebooks: with what each answer replaced. Of ODM: every change as a transaction. */
  history: maybe(flag()),
  /** 1.3.2 if left out. */
  odmVersion: maybe(oneOf(...odmVersions)),
  /** Of Parquet: one file in place of a package. */
  isAlone: maybe(flag()),
  /** One stage; null for all. */
  stage: orNull(id()),
  /** Permissions that the caller must have on a participant for their responses to be included. */
  needs: list(oneOf<Key>(...keys)),
  access: PackedAccess,
  /** The name of the file in the folder of exports. */
  file: text(1, 200),
  /**
   * For a reading: its links work for an hour from this time (microseconds). Files that are kept have no links, as they
   * would expire.
   */
  links: maybe(shape({ publicUrl: text(0, 2_000), from: whole() })),
  /** For the README of a package: the moment, who asked, and for what, by the names of the parameters. */
  about: maybe(shape({ at: whole(), email: text(0, 320), asked: keyed(anything()) })),
})
export type ExportTask = ValueOf<typeof ExportTask>

/** The result of an export. */
export type ExportResult = { rows: number; bytes: number; stages: number }

/** Writes responses to a file among the exports (docs/exports.md). */
export const exportTask: TaskKind<ExportTask, ExportResult> = { kind: 'exportResponses', input: ExportTask }

/** An export includes the participants who are in all of these scopes. Empty if it includes all participants. */
export const scopesOf = (access: Access, needs: readonly Key[]): Exclude<VisibleScope, 'all'>[] =>
  needs.flatMap((key) => {
    const scope = scopeOf(access, [key])
    return scope === 'all' ? [] : [scope]
  })
