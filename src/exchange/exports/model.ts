import { Response } from '#conduct/responses/model'
import { DataType } from '#design/dataTypes/model'
import * as t from '#wire/schema'
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

const columns = t.maybe(
  t.withDescription(
    'For csv and excel. single: one column per data type, the default of csv. expanded: one column per statement, option and part, the default of excel.',
    t.oneOf(...columnForms),
  ),
)

const history = t.maybe(
  t.withDescription('For pdf and odm: with what each answer replaced, when, by whom and why.', t.flag()),
)
const odmVersion = t.maybe(t.withDescription('For odm: the edition. The default is 1.3.2.', t.oneOf(...odmVersions)))

/** How answers are written. */
const form = {
  columns,
  values: t.maybe(
    t.withDescription(
      'For csv and excel. codes or labels of choices and scales, or both, in columns of their own. Expanded columns have codes if left out, single ones labels.',
      t.oneOf(...valueForms),
    ),
  ),
  shape: t.maybe(
    t.withDescription(
      'For csv and excel. responses: one row per response, the default. wide: one row per participant. long: one row per answer.',
      t.oneOf(...shapes),
    ),
  ),
  escape: t.maybe(
    t.withDescription(
      'For csv. spreadsheet, the default: an apostrophe before text that a spreadsheet would compute. none: text as it is, for programs.',
      t.oneOf(...escapes),
    ),
  ),
  table: t.maybe(t.withDescription('The table data type, for dataset=table.', t.id())),
}

const studyDataset =
  'The default is the responses. table: the rows of a table data type; history: what was changed; codebook: what the columns mean; for csv and excel.'

/** Filters that a query and a saved export have in the same form. */
const plainFilters = {
  from: t.maybe(
    t.withDescription('The first day on which responses were recorded, in the zone of the trial.', t.day()),
  ),
  to: t.maybe(t.withDescription('The last day.', t.day())),
  isWithdrawn: t.maybe(t.withDescription('Of participants who are withdrawn, or are not.', t.flag())),
  isUnallocated: t.maybe(t.flag()),
  hasJoined: t.maybe(t.withDescription('Of participants who have signed in.', t.flag())),
  isBehindSchedule: t.maybe(t.flag()),
}

const listText = (what: string) => t.maybe(t.withDescription(`${what}, separated by commas.`, t.text(1, 30_000)))

const placeFilters = {
  sites: listText('Of participants of any of these sites: _ids'),
  groups: listText('Of participants of any of these groups: _ids'),
  status: listText('Responses with any of these: successful, unsuccessful, none'),
}

export const ExportQuery = t.shape({
  definition: t.maybe(t.withDescription('A saved export. Beside it only type may be given.', t.id())),
  type: t.maybe(t.withDescription('The default is json.', t.oneOf(...formats))),
  dataset: t.maybe(
    t.withDescription(
      `${studyDataset} Those of wearables and foodDiary are for csv; hardware, everything of wearables, for raw.`,
      t.oneOf(...datasets, 'hardware'),
    ),
  ),
  ...form,
  history,
  odmVersion,
  stages: listText('Responses to these stages: _ids'),
  ...placeFilters,
  ...plainFilters,
})
export type ExportQuery = t.ValueOf<typeof ExportQuery>

export const StageQuery = t.shape({
  type: t.maybe(t.oneOf('csv')),
  dataset: t.maybe(t.withDescription(studyDataset, t.oneOf(...studyDatasets))),
  ...form,
  ...placeFilters,
  ...plainFilters,
})

/** What is exported, as a saved export says it: everything but the type. */
export const ExportSettings = t.shape('ExportSettings', {
  dataset: t.maybe(t.oneOf(...datasets)),
  ...form,
  history,
  odmVersion,
  stages: t.maybe(t.withDescription('Responses to these stages.', t.list(t.id(), 1000, 1))),
  sites: t.maybe(t.withDescription('Of participants of any of these sites.', t.list(t.id(), 1000, 1))),
  groups: t.maybe(t.withDescription('Of participants of any of these groups.', t.list(t.id(), 1000, 1))),
  status: t.maybe(t.list(t.oneOf(...statuses), statuses.length, 1)),
  ...plainFilters,
})
export type ExportSettings = t.ValueOf<typeof ExportSettings>

/** What an export is asked for. */
export type ExportRequest = ExportSettings & Pick<ExportQuery, 'type'>

/** The fields of a stage in an export, besides its data types and responses. */
export const StageBasics = t.shape('StageBasics', {
  _id: t.id(),
  createdAt: t.instant(),
  name: t.text(2, 100),
  description: t.orNull(t.text(0, 1000)),
  index: t.whole(0),
  enabled: t.flag(),
  adHoc: t.flag(),
  isRecurring: t.flag(),
  isPoll: t.flag(),
})

const Stages = t.joinShapes(
  'StageExport',
  StageBasics,
  t.shape({ dataTypes: t.list(DataType), responses: t.list(Response, 100_000_000) }),
)

export const JsonExport = t.shape('JsonExport', {
  participantCount: t.withDescription('Participants who are visible to the caller and not archived.', t.whole(0)),
  stages: t.list(Stages),
})

export const RawExport = t.shape('RawExport', {
  responses: t.list(Response, 100_000_000),
  dataTypes: t.withDescription('Keyed by _id.', t.keyed(DataType)),
})

/** The job that writes everything of wearables. */
export const StartedExport = t.shape('StartedExport', { jobId: t.id() })

export const CsvExport = t.shape('CsvExport', {
  csv: t.withDescription(
    'One row per response, one column per data type; the headers are codes.',
    t.text(0, Number.MAX_SAFE_INTEGER),
  ),
})

export const FileExport = t.shape('FileExport', {
  request: t.withDescription('A link to the file, for an hour.', t.text(1, 5000)),
})
