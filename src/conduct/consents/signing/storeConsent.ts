/** How a consent is given: checked, written as PDF, and stored exactly once for a session. */
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ConsentRow, consentOfSession, insertConsent } from '#conduct/consents/consentStore'
import { copyContacts } from '#conduct/consents/contacts'
import type { ConsentInput } from '#conduct/consents/model'
import { type Method, signingProblems, stepsLeft } from '#conduct/consents/rules'
import { type ConsentSessionScope, requireNotClosed } from '#conduct/consents/scope'
import { sendSignInCode } from '#conduct/consents/sendSignInCode'
import { addEvent, changeSession } from '#conduct/consents/store'
import { verifiedIn } from '#conduct/consents/verificationCodes'
import { pdfName, progressOf } from '#conduct/consents/views'
import { countCode } from '#conduct/contactCodes/limits'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import type { Client } from '#http/operation'
import type { Services } from '#http/services'
import { performForRequest } from '#jobs/perform'
import { type Id, newSecret } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import type { Instant } from '#kernel/time'
import { newStoredName, uploadPath } from '#storage/names'
import { insertFile, markUsed } from '#storage/store'
import { signConsent } from './job'
import type { PdfResult } from './task'

type ConsentContext = ConsentSessionScope & {
  db: Db
  services: Services
  now: Instant
  acceptLanguage: string | null
  client: Client
  body: ConsentInput
}

/** The signed PDF: its name among the exports, the one under which it is kept, and when it was signed. */
export type SignedPdf = PdfResult & { file: string; storedName: string; at: Instant }

/** Refuses (400, 422) a consent that cannot be given yet, or not in this way. */
function requireReady({ db, trial, session, content, body }: ConsentContext): void {
  requireNotClosed(trial)
  const steps = stepsLeft(content, progressOf(db, { session }))
  const [step, ...more] = steps
  if (step) {
    const details = { steps: steps.map(({ text }) => text) }
    throw refuse.bad(
      'stepsLeft',
      { steps: more.reduce((before, each) => reason('andThen', { before, each }), step) },
      details,
    )
  }
  const problems = signingProblems(content, body)
  if (Object.keys(problems).length) throw refuse.invalid(problems)
}

/** How the files of images begin, as Latin-1. */
const IMAGE_SIGNATURES = [/^\xff\xd8\xff/, /^\x89PNG\r\n/, /^RIFF.{4}WEBP/s, /^.{4}ftyp(heic|heix|mif1|msf1)/s]

/** Refuses (400) a photo that is no image, whatever its type says. */
async function requireImage({ services, session: { photo } }: ConsentContext): Promise<void> {
  if (photo === null) return
  const file = await open(uploadPath(services.storage.files, photo))
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
    const start = buffer.subarray(0, bytesRead).toString('latin1')
    if (IMAGE_SIGNATURES.some((each) => each.test(start))) return
  } finally {
    await file.close()
  }
  throw refuse.bad('photo')
}

/** Checks the consent and writes its PDF; null if the session has a consent already. */
export async function prepareConsent(context: ConsentContext): Promise<SignedPdf | null> {
  const { db, services, now, session, content, body } = context
  if (consentOfSession(db, session._id)) return null
  requireReady(context)
  if (content.identityVerificationEnabled) await requireImage(context)
  const file = newStoredName('consent.pdf', now)
  const device = session.startedBy === null ? null : context.client.device
  const task = { session: session._id, at: now, input: body, device, file }
  const pdf = await performForRequest(services, signConsent, task, { user: { _id: session._id } })
  return { ...pdf, file, storedName: newStoredName('consent.pdf', now), at: now }
}

/** Keeps a PDF of the exports for ever. Returns its stored name. */
export function storePdf(
  { db, services, now }: Pick<ConsentContext, 'db' | 'services' | 'now'>,
  { trial, consent, by, name }: { trial: Id; consent: Id; by: Id; name: string },
  { file, storedName, bytes: size, sha256 }: Omit<SignedPdf, 'at'>,
): string {
  services.storage.keepExport(file, storedName)
  insertFile(db, {
    ...{ storedName, createdAt: now, kind: 'upload', trial, forType: 'trial', forId: consent, createdBy: by, name },
    ...{ type: 'application/pdf', size, sha256, isUsed: true, finishedAt: now },
  })
  return storedName
}

/** Removes the PDF from the exports after the commit: it is kept under another name, or another one of the session is. */
export function removeTemporaryPdf(
  { services, after }: { services: Services; after(effect: () => void): void },
  { file }: Pick<SignedPdf, 'file'>,
): void {
  after(() => {
    rm(join(services.storage.exports, file), { force: true }).catch((reason) =>
      services.fault(reason, 'removing a PDF that is kept'),
    )
  })
}

/**
 * Stores the consent. Refuses what became impossible while the PDF was written.
 * @returns also the contact details that were copied to the participant, for the audit entry
 */
export function storeConsent(
  context: ConsentContext & { id(): Id },
  signed: SignedPdf,
): { consent: ConsentRow; contactDetails: Method[] } {
  const { db, now, trial, form, session, content, body, id } = context
  requireReady(context)
  const _id = id()
  const {
    email = null,
    phone = null,
    whatsapp = null,
  } = Object.fromEntries(
    Object.entries(verifiedIn(db, session._id)).map(([method, { address }]) => [method, address]),
  ) as Partial<Record<Method, string>>
  const signer = { trial: trial._id, consent: _id, by: session._id, name: pdfName(trial.code) }
  const contacts = { email, phone, whatsapp }
  const hasContact = Object.values(contacts).some((each) => each !== null)
  const isBound = session.participant !== null
  // A person who signed in before signing needs no code for a first sign-in.
  const isOwn = isBound && session.startedBy === null
  if (hasContact && !isOwn) countCode(context, false)
  const consent = insertConsent(db, {
    ...{ _id, createdAt: signed.at, trial: trial._id, form: form._id, version: session.version, session: session._id },
    ...{
      salt: newSecret(),
      participant: session.participant,
      boundAt: isBound ? now : null,
      codeUsedAt: isOwn ? now : null,
    },
    ...{ startedBy: session.startedBy, fullName: body.fullName.trim(), ...contacts },
    confirmations: Object.fromEntries(
      content.conditions.map((each) => [each.id, body.confirmations?.[each.id] === true]),
    ),
    initials: body.initials ?? {},
    signatureMethod: body.signature.method,
    signature: body.signature.method === 'drawn' ? body.signature.image : body.signature.name,
    ...{ photo: session.photo, file: storePdf(context, signer, signed), fileHash: signed.sha256 },
    codeMessage: isOwn || !hasContact ? null : sendSignInCode(context, { _id, codeNumber: 1, ...contacts }),
  })
  changeSession(db, session._id, { removeAt: null })
  addEvent(db, session._id, now, 'consented')
  if (session.photo !== null) markUsed(db, session.photo)
  const participant = session.participant === null ? undefined : rowById(db, participants, session.participant)
  const contactDetails = participant && !trial.isDatabaseLocked ? copyContacts(db, consent, participant) : []
  return { consent, contactDetails }
}
