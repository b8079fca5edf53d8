/** When a consent may be given, and what staff search for. */
import type { Method } from '#conduct/contactCodes/addresses'
import type { ConsentContent } from '#db/tables/index'
import type { FieldProblems } from '#kernel/problem'
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

const NAMES: Record<Method, string> = {
  email: 'e-mail address',
  phone: 'telephone number',
  whatsapp: 'WhatsApp number',
}

/** What is still to do before the form can be signed, in words; empty if nothing is. */
export function stepsLeft(content: ConsentContent, progress: SessionProgress): string[] {
  const unverified = content.requiredVerificationMethods.filter((method) => !progress.verified.includes(method))
  return [
    ...(content.readToEnd && !progress.hasRead ? ['Read the information to its end first.'] : []),
    ...(content.quiz.length && !progress.hasPassedQuiz ? ['Answer the questions about the information first.'] : []),
    ...unverified.map((method) => `Verify the ${NAMES[method]} first, by the code that is sent to it.`),
    ...(content.identityVerificationEnabled && !progress.hasPhoto
      ? ['Upload the photo of an identity document first.']
      : []),
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
  const problems: Record<string, string[]> = {}
  const known = new Set(conditions.map(({ id }) => id))
  const has = <T>(values: Readonly<Record<string, T>>, id: string) =>
    Object.hasOwn(values, id) ? values[id] : undefined
  const unknown = (values: object) => Object.keys(values).filter((id) => !known.has(id))
  const open = conditions.filter(({ id, optional }) => !optional && has(confirmations, id) !== true)
  const unsigned = conditions.filter(
    ({ id, requiresInitials }) => requiresInitials && has(confirmations, id) === true && !has(initials, id)?.trim(),
  )
  if (eligibilityCriteria !== null && body.eligibilityConfirmed !== true)
    problems.eligibilityConfirmed = ['Must be true: who the study is for has to be confirmed.']
  if (unknown(confirmations).length) problems.confirmations = ['Has a key that is no statement of the form.']
  else if (open.length) problems.confirmations = open.map(({ title }) => `“${title}” has to be confirmed.`)
  if (unknown(initials).length) problems.initials = ['Has a key that is no statement of the form.']
  else if (unsigned.length) problems.initials = unsigned.map(({ title }) => `“${title}” needs initials.`)
  if (!signatureMethods.includes(signature.method)) problems.signature = [`Must be ${signatureMethods.join(' or ')}.`]
  else if (signature.method === 'drawn' && !(signature.image && isDrawing(signature.image)))
    problems.signature = ['Must have `image`: a PNG in base64, of at most 4000 × 2000 pixels.']
  else if (signature.method === 'typed' && signature.name?.trim() !== body.fullName.trim())
    problems.signature = ['Must have `name`, written as in fullName.']
  return problems
}
