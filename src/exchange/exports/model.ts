import { Response } from '#conduct/responses/model'
import { DataType } from '#design/dataTypes/model'
import {
  day,
  flag,
  id,
  instant,
  joinShapes,
  keyed,
  list,
  maybe,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'
import {
  columnForms,
  datasets,
  escapes,
  formats,
  odmVersions,
  shapes,
  statuses,
  studyDatasets,
  valueForms,
} from './task'

const columns = maybe(
  withDescription(
    'For csv and excel. single: one column per data type, the default of csv. expanded: one column per statement, option and part, the default of excel.',
    oneOf(...columnForms),
  ),
)

const history = maybe(
  withDescription('For pdf and odm: with what each answer replaced, when, by whom and why.', flag()),
)
const odmVersion = maybe(withDescription('For odm: the edition. The default is 1.3.2.', oneOf(...odmVersions)))

/** How answers are written. */
const form = {
  columns,
  values: maybe(
    withDescription(
      'For csv and excel. codes or labels of choices and scales, or both, in columns of their own. Expanded columns have codes if left out, single ones labels.',
      oneOf(...valueForms),
    ),
  ),
  shape: maybe(
    withDescription(
      'For csv and excel. responses: one row per response, the default. wide: one row per participant. long: one row per answer.',
      oneOf(...shapes),
    ),
  ),
  escape: maybe(
    withDescription(
      'For csv. spreadsheet, the default: an apostrophe before text that a spreadsheet would compute. none: text as it is, for programs.',
      oneOf(...escapes),
    ),
  ),
  table: maybe(withDescription('The table data type, for dataset=table.', id())),
}

const studyDataset =
  'The default is the responses. table: the rows of a table data type; history: what was changed; codebook: what the columns mean; for csv and excel.'

/** Filters that a query and a saved export have in the same form. */
const plainFilters = {
  from: maybe(withDescription('The first day on which responses were recorded, in the zone of the trial.', day())),
  to: maybe(withDescription('The last day.', day())),
  isWithdrawn: maybe(withDescription('Of participants who are withdrawn, or are not.', flag())),
  isUnallocated: maybe(flag()),
  hasJoined: maybe(withDescription('Of participants who have signed in.', flag())),
  isBehindSchedule: maybe(flag()),
}

const listText = (what: string) => maybe(withDescription(`${what}, separated by commas.`, text(1, 30_000)))

const placeFilters = {
  sites: listText('Of participants of any of these sites: _ids'),
  groups: listText('Of participants of any of these groups: _ids'),
  status: listText('Responses with any of these: successful, unsuccessful, none'),
}

export const ExportQuery = shape({
  definition: maybe(withDescription('A saved export. Beside it only type may be given.', id())),
  type: maybe(withDescription('The default is json.', oneOf(...formats))),
  dataset: maybe(
    withDescription(
      `${studyDataset} Those of wearables and foodDiary are for csv; hardware, everything of wearables, for raw.`,
      oneOf(...datasets, 'hardware'),
    ),
  ),
  ...form,
  history,
  odmVersion,
  stages: listText('Responses to these stages: _ids'),
  ...placeFilters,
  ...plainFilters,
})
export type ExportQuery = ValueOf<typeof ExportQuery>

export const StageQuery = shape({
  type: maybe(oneOf('csv')),
  dataset: maybe(withDescription(studyDataset, oneOf(...studyDatasets))),
  ...form,
  ...placeFilters,
  ...plainFilters,
})

/** What is exported, as a saved export says it: everything but the type. */
export const ExportSettings = shape('ExportSettings', {
  dataset: maybe(oneOf(...datasets)),
  ...form,
  history,
  odmVersion,
  stages: maybe(withDescription('Responses to these stages.', list(id(), 1000, 1))),
  sites: maybe(withDescription('Of participants of any of these sites.', list(id(), 1000, 1))),
  groups: maybe(withDescription('Of participants of any of these groups.', list(id(), 1000, 1))),
  status: maybe(list(oneOf(...statuses), statuses.length, 1)),
  ...plainFilters,
})
export type ExportSettings = ValueOf<typeof ExportSettings>

/** What an export is asked for. */
export type ExportRequest = ExportSettings & Pick<ExportQuery, 'type'>

/** The fields of a stage in an export, besides its data types and responses. */
export const StageBasics = shape('StageBasics', {
  _id: id(),
  createdAt: instant(),
  name: text(2, 100),
  description: orNull(text(0, 1000)),
  index: whole(0),
  enabled: flag(),
  adHoc: flag(),
  isRecurring: flag(),
  isPoll: flag(),
})

const Stages = joinShapes(
  'StageExport',
  StageBasics,
  shape({ dataTypes: list(DataType), responses: list(Response, 100_000_000) }),
)

export const JsonExport = shape('JsonExport', {
  participantCount: withDescription('Participants who are visible to the caller and not archived.', whole(0)),
  stages: list(Stages),
})

export const RawExport = shape('RawExport', {
  responses: list(Response, 100_000_000),
  dataTypes: withDescription('Keyed by _id.', keyed(DataType)),
})

/** The job that writes everything of wearables. */
export const StartedExport = shape('StartedExport', { jobId: id() })

export const CsvExport = shape('CsvExport', {
  csv: withDescription(
    'One row per response, one column per data type; the headers are codes.',
    text(0, Number.MAX_SAFE_INTEGER),
  ),
})

export const FileExport = shape('FileExport', {
  request: withDescription('A link to the file, for an hour.', text(1, 5000)),
})
