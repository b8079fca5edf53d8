/** When a consent may be given, and what staff search for. */
import type { Method } from '#conduct/contactCodes/addresses'
import type { ConsentContent } from '#db/tables/index'
import type { FieldProblems } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import type { ConsentInput } from './model'

export { channelOf, type Method, parseAddress } from '#conduct/contactCodes/addresses'

/** The part of an address that a person looks for. Numbers are stored with their country code: a zero that stands in place of it is left out. */
export const searchedAddress = (query: string): string =>
  query.includes('@') || /\p{L}/u.test(query)
    ? query.trim().toLowerCase()
    : query
        .trim()
        .replace(/\(0\)/, '')
        .replace(/[\s().\-/]/g, '')
        .replace(/^00/, '+')
        .replace(/^0(?=\d)/, '')

/** What a session has seen so far. */
export type SessionProgress = {
  hasRead: boolean
  hasPassedQuiz: boolean
  hasPhoto: boolean
  verified: readonly Method[]
}

const verifyCodes = { email: 'verifyEmail', phone: 'verifyPhone', whatsapp: 'verifyWhatsapp' } as const

/** What is still to do before the form can be signed; empty if nothing is. */
export function stepsLeft(content: ConsentContent, progress: SessionProgress): Reason[] {
  const unverified = content.requiredVerificationMethods.filter((method) => !progress.verified.includes(method))
  return [
    ...(content.readToEnd && !progress.hasRead ? [reason('readFirst')] : []),
    ...(content.quiz.length && !progress.hasPassedQuiz ? [reason('quizFirst')] : []),
    ...unverified.map((method) => reason(verifyCodes[method])),
    ...(content.identityVerificationEnabled && !progress.hasPhoto ? [reason('photoFirst')] : []),
  ]
}

/** The largest drawing in pixels: a few bytes of a PNG may stand for gigabytes. */
const [WIDEST, HIGHEST] = [4000, 2000]

/** Whether a text is base64 that begins as a PNG of such a size does. */
function isDrawing(image: string): boolean {
  if (image.length % 4 || !/^iVBORw0KGgo[A-Za-z0-9+/]+={0,2}$/.test(image)) return false
  const head = Buffer.from(image.slice(0, 32), 'base64')
  if (head.length < 24) return false
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)]
  return width > 0 && width <= WIDEST && height > 0 && height <= HIGHEST
}

/** What is wrong with a signed form, by field; empty if nothing is. */
export function signingProblems(content: ConsentContent, body: ConsentInput): FieldProblems {
  const { conditions, eligibilityCriteria, signatureMethods } = content
  const { confirmations = {}, initials = {}, signature } = body
  const problems: FieldProblems = {}
  const known = new Set(conditions.map(({ id }) => id))
  const has = <T>(values: Readonly<Record<string, T>>, id: string) =>
    Object.hasOwn(values, id) ? values[id] : undefined
  const unknown = (values: object) => Object.keys(values).filter((id) => !known.has(id))
  const open = conditions.filter(({ id, optional }) => !optional && has(confirmations, id) !== true)
  const unsigned = conditions.filter(
    ({ id, requiresInitials }) => requiresInitials && has(confirmations, id) === true && !has(initials, id)?.trim(),
  )
  if (eligibilityCriteria !== null && body.eligibilityConfirmed !== true)
    problems.eligibilityConfirmed = [reason('eligibilityUnconfirmed')]
  if (unknown(confirmations).length) problems.confirmations = [reason('noSuchStatement')]
  else if (open.length) problems.confirmations = open.map(({ title }) => reason('unconfirmed', { statement: title }))
  if (unknown(initials).length) problems.initials = [reason('noSuchStatement')]
  else if (unsigned.length)
    problems.initials = unsigned.map(({ title }) => reason('initialsMissing', { statement: title }))
  if (!signatureMethods.includes(signature.method))
    problems.signature = [reason('notSignatureMethod', { methods: signatureMethods })]
  else if (signature.method === 'drawn' && !(signature.image && isDrawing(signature.image)))
    problems.signature = [reason('notDrawing', { width: WIDEST, height: HIGHEST })]
  else if (signature.method === 'typed' && signature.name?.trim() !== body.fullName.trim())
    problems.signature = [reason('otherName')]
  return problems
}
