/** Signatures and queries of a response in ODM (pure). */
import type { reviewOf } from '#conduct/review/review'
import type { Id } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'
import { isBeyondXml, xmlElement } from '#writers/xml'
import type { QueryNote } from './edition'
import { asciiJson, textElement } from './elements'
import { auditRecord, type ElementContext } from './values'

/** Signatures and queries by response, so that each response finds its own however many others the participant has. */
export function reviewByResponse({ signatures, queries }: ReturnType<typeof reviewOf>) {
  const signed = new Map<Id, ResponseSignature[]>()
  for (const signature of signatures)
    for (const own of signature.responses) {
      const known = signed.get(own.response)
      if (known) known.push({ signature, own })
      else signed.set(own.response, [{ signature, own }])
    }
  return { signed, queries: Map.groupBy(queries, ({ response }) => response) }
}

type Signature = ReturnType<typeof reviewOf>['signatures'][number]
type ResponseSignature = { signature: Signature; own: Signature['responses'][number] }
export type Review = ReturnType<typeof reviewByResponse>

/** A signature on a response: its element, what an annotation says besides, and it in words. */
export type SignatureEntry = { at: Instant; isValid: boolean; element: string; comments: string[]; text: string }

/** The signatures on a response, oldest first. */
export function signaturesOn({ signed }: Review, response: Id, context: ElementContext): SignatureEntry[] {
  const { admin, location, edition } = context
  return (signed.get(response) ?? []).map(({ signature, own }) => {
    const { meaning, signer, signedAt, valid } = signature
    const hash = own.hash === undefined ? undefined : `SHA-256 ${own.hash}`
    const isValid = valid && own.valid
    const element = xmlElement(
      'Signature',
      {},
      xmlElement('UserRef', { UserOID: admin.user(signer._id) }),
      xmlElement('LocationRef', { LocationOID: location }),
      xmlElement('SignatureRef', { SignatureOID: admin.signature(meaning) }),
      textElement('DateTimeStamp', instantText(signedAt)),
      ...(hash === undefined || edition.isNew ? [] : [textElement('CryptoBindingManifest', hash)]),
    )
    const comments = hash !== undefined && edition.isNew ? [`The signature covers: ${hash}`] : []
    const state = isValid ? 'Signature' : 'Signature that is not valid any more'
    const text = `${state}: ${meaning}, ${signer.name}, ${instantText(signedAt)}`
    return { at: signedAt, isValid, element, comments, text }
  })
}

const STATES = { open: 'Open', answered: 'Answered', closed: 'Closed' } as const

/** The queries on a response by the data type of the question; null for those on the whole response. */
export function queriesOn({ queries }: Review, response: Id, context: ElementContext): Map<Id | null, QueryNote[]> {
  const found = new Map<Id | null, QueryNote[]>()
  for (const query of queries.get(response) ?? []) {
    const own = found.get(query.dataType) ?? []
    found.set(query.dataType, own)
    own.push({ text: queryText(query), element: context.edition.isNew ? queryElement(query, context) : '' })
  }
  return found
}

type Query = ReturnType<typeof reviewOf>['queries'][number]

const queryText = ({ status, createdAt, messages }: Query): string =>
  `Query, ${status}, raised ${instantText(createdAt)}: ${messages
    .map(({ createdAt, text }) => `${instantText(createdAt)} ${text}`)
    .join(' | ')}`

const xmlSafe = (text: string): string => (isBeyondXml(text) ? asciiJson(text) : text)

/** The first message is the text of the query; each message is an audit record, too, with who wrote it. */
function queryElement(
  { _id, status, isAutomatic, createdAt, messages }: Query,
  { admin, location }: ElementContext,
): string {
  const last = messages.reduce((latest, message) => Math.max(latest, message.createdAt), createdAt)
  return xmlElement(
    'Query',
    {
      OID: `Q.${_id}`,
      Source: isAutomatic ? 'System' : 'Data Management',
      Type: isAutomatic ? 'System' : 'Manual',
      State: STATES[status],
      LastUpdateDatetime: instantText(last),
    },
    textElement('Value', xmlSafe(messages[0]?.text ?? '')),
    ...messages.map(({ createdBy, createdAt, text }) =>
      auditRecord(admin, { createdBy, createdByType: 'user', createdAt, updateNote: xmlSafe(text) }, location),
    ),
  )
}
