import { Response } from '#conduct/responses/model'
import { DataType } from '#design/dataTypes/model'
import {
  described,
  flag,
  id,
  instant,
  joined,
  keyed,
  list,
  maybe,
  oneOf,
  orNull,
  shape,
  text,
  whole,
} from '#wire/words'
import { formats } from './task'

export const ExportQuery = shape({
  type: maybe(described('json when left out.', oneOf(...formats))),
  dataset: maybe(described('The study data when left out.', oneOf('stage'))),
})

export const StageQuery = shape({ type: maybe(oneOf('csv')) })

/** The fields of a stage in an export, besides its data types and responses. */
export const StageBasics = shape({
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

const Stages = joined(StageBasics, shape({ dataTypes: list(DataType), responses: list(Response, 100_000_000) }))

export const JsonExport = shape({
  participantCount: described('Participants in view who are not archived.', whole(0)),
  stages: list(Stages),
})

export const RawExport = shape({
  responses: list(Response, 100_000_000),
  dataTypes: described('Keyed by _id.', keyed(DataType)),
})

export const CsvExport = shape({
  csv: described('A row a response, a column a data type; headers are codes.', text(0, Number.MAX_SAFE_INTEGER)),
})

export const FileExport = shape({ request: described('A link to the file, for an hour.', text(1, 5000)) })
