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
export function* beginning({ admin, ...document }: Document): Generator<string> {
  const { study, at } = document
  yield* upToStudy(document)
  yield* admin.elements(STUDY(study._id), VERSION(study._id), at)
  yield `${xmlStart('ClinicalData', { StudyOID: STUDY(study._id), MetaDataVersionOID: VERSION(study._id) })}\n`
}

/** The document without people and data. */
export function* structurePieces(document: Omit<Document, 'admin'>): Generator<string> {
  yield* upToStudy(document)
  yield ODM_END
}

function* upToStudy(document: Omit<Document, 'admin'>): Generator<string> {
  const { from, forms, edition, study, at, withHistory, stage } = document
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
  if (edition.isNew) yield `${edition.inEnglish('Description', ABOUT)}\n`
  yield* studyElement(from, forms, study, edition)
}

const ODM_END = '</ODM>\n'
export const ending = `</ClinicalData>\n${ODM_END}`
