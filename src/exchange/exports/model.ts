import { Response } from '#conduct/responses/model'
import { DataType } from '#design/dataTypes/model'
import {
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
  whole,
  withDescription,
} from '#wire/words'
import { columnForms, datasets, formats } from './task'

const columns = maybe(
  withDescription(
    'For csv and excel. single: one column per data type, the default of csv. expanded: one column per statement, option and part, the default of excel.',
    oneOf(...columnForms),
  ),
)

export const ExportQuery = shape({
  type: maybe(withDescription('The default is json.', oneOf(...formats))),
  dataset: maybe(
    withDescription(
      'The default is the study data. The others are for csv, and hardware, everything of wearables, for raw.',
      oneOf(...datasets, 'hardware'),
    ),
  ),
  columns,
})

export const StageQuery = shape({ type: maybe(oneOf('csv')), columns })

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
