/** The whole ODM document, from its metadata to the data that was written before, as it refers to both (pure). */

import type { ExportContext } from '#exchange/exports/context'
import type { Id } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'
import { serviceVersion } from '#kernel/version'
import { xmlStart } from '#writers/xml'
import type { Edition } from './edition'
import type { Form } from './forms'
import { type Study, studyElement, studyOid, versionOid } from './metadata'
import type { AdminData } from './people'

const ABOUT = 'What the reader may not see is left out, and so are archived participants.'

export type OdmDocument = {
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

/** The document up to the data; `documentEnd` follows it. Call it when the data has been written. */
export function* documentStart({ admin, ...document }: OdmDocument): Generator<string> {
  const { study, at } = document
  yield* documentHead(document)
  yield* admin.elements(studyOid(study._id), versionOid(study._id), at)
  yield `${xmlStart('ClinicalData', { StudyOID: studyOid(study._id), MetaDataVersionOID: versionOid(study._id) })}\n`
}

/** The document without people and data. */
export function* structurePieces(document: Omit<OdmDocument, 'admin'>): Generator<string> {
  yield* documentHead(document)
  yield ODM_END
}

function* documentHead(document: Omit<OdmDocument, 'admin'>): Generator<string> {
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
export const documentEnd = `</ClinicalData>\n${ODM_END}`
