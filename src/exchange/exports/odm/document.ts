/** The whole ODM document, from its metadata to the data that was written before, as it refers to both (pure). */

import type { ExportContext } from '#exchange/exports/context'
import type { Id } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'
import { serviceVersion } from '#kernel/version'
import { xmlStart } from '#writers/xml'
import type { Edition } from './edition'
import type { Form } from './forms'
import { STUDY, type Study, studyElement, VERSION } from './metadata'
import type { AdminData } from './people'

const ABOUT = 'What the reader may not see is left out, and so are archived participants.'

export type Document = {
  from: ExportContext
  forms: readonly Form[]
  edition: Edition
  study: Study
  /** The moment of the data. */
  at: Instant
  withHistory?: boolean
  /** Whom and what the data refers to. */
  admin: AdminData
  /** Of a file about one stage. */
  stage?: Id
}

/** The document up to the data; `ending` follows it. Call it when the data has been written. */
export function* beginning({
  from,
  forms,
  edition,
  study,
  at,
  withHistory,
  admin,
  stage,
}: Document): Generator<string> {
  const { _id } = study
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield `${xmlStart('ODM', {
    xmlns: edition.namespace,
    ODMVersion: edition.version,
    FileType: withHistory ? 'Transactional' : 'Snapshot',
    FileOID: ['ODM', _id, ...(stage === undefined ? [] : [stage]), at].join('.'),
    CreationDateTime: instantText(at),
    AsOfDateTime: instantText(at),
    SourceSystem: 'Trialbox',
    SourceSystemVersion: serviceVersion,
    Description: edition.isNew ? undefined : ABOUT,
  })}\n`
  if (edition.isNew) yield `${edition.translated('Description', ABOUT)}\n`
  yield* studyElement(from, forms, study, edition)
  yield* admin.elements(STUDY(_id), VERSION(_id), at)
  yield `${xmlStart('ClinicalData', { StudyOID: STUDY(_id), MetaDataVersionOID: VERSION(_id) })}\n`
}

export const ending = '</ClinicalData>\n</ODM>\n'
