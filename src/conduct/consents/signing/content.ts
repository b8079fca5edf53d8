/** Everything that a signed PDF says: the parts that are printed, and the data that is attached to it. */
import { participantIdOf } from '#conduct/consents/nameStore'
import { type EventRow, eventsOf, formById, sessionById } from '#conduct/consents/store'
import { verifiedIn } from '#conduct/consents/verificationCodes'
import { formName } from '#conduct/consents/views'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import { versionOf } from '#design/consentForms/store'
import { writerOf } from '#design/trials/notices'
import { trialById } from '#design/trials/store'
import { refuse } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { fileByName } from '#storage/store'
import type { Writer } from '#texts/writer'
import { richText } from '#wire/richText'
import { blocksOf, type SheetBlock } from './blocks'
import { type Presence, pageLines, pageTimes, presenceLines } from './presence'
import type { SignTask } from './task'

/** The names of the files in the PDF: all data, and all text where the fonts lack characters. */
export const [DATA, TEXT] = ['consent.json', 'consent.txt'] as const

/** A drawn signature. */
type DrawnSignature = { as: 'drawing'; image: string }
export type PdfPart = SheetBlock | DrawnSignature | { as: 'title' | 'small'; text: string }

/** Event types with a text of their own. */
const describedEvents = [
  'started',
  'page',
  'readToEnd',
  'codeSent',
  'verified',
  'wrongCode',
  'quizPassed',
  'quizFailed',
  'photo',
] as const

const text = (text: string): PdfPart => ({ as: 'text', text, depth: 0 })
const title = (text: string): PdfPart => ({ as: 'title', text })
const small = (text: string): PdfPart => ({ as: 'small', text })

function eventParts(events: readonly EventRow[], writer: Writer): PdfPart[] {
  return events.flatMap(({ type, createdAt, content }) => {
    const event = describedEvents.find((each) => each === type)
    const values = { when: writer.moment(createdAt, 'UTC'), page: typeof content.page === 'string' ? content.page : '' }
    return event ? [small(writer.write(`consentPdf.event.${event}`, values))] : []
  })
}

/** What the session holds. @throws 404 if it was deleted */
function readSession(db: Db, { session: _id, device }: SignTask) {
  const session = sessionById(db, _id)
  const form = session && formById(db, session.form)
  const version = session && versionOf(db, session.form, session.version)
  const trial = session && trialById(db, session.trial)
  if (!session || !form || !version || !trial) throw refuse.linkEnded()
  const photo = session.photo === null ? undefined : fileByName(db, session.photo)
  const user = session.startedBy === null ? undefined : rowById(db, users, session.startedBy)
  const participant = session.participant === null ? undefined : participantIdOf(db, session.participant)
  const { startedBy, witness, present } = session
  const isInPerson = participant !== undefined && startedBy !== null
  const inPerson: Presence | undefined = isInPerson
    ? { user: user?.name ?? '', participant, witness, present, device }
    : undefined
  return {
    ...{ session, form, version, trial, photo, inPerson },
    account: isInPerson ? undefined : participant,
    verified: Object.values(verifiedIn(db, _id)),
    events: eventsOf(db, _id),
  }
}

/** The parts of the PDF in the language of the trial, and the data in it. Call it within a transaction. */
export function contentOfPdf(db: Db, task: SignTask) {
  const { session, form, version, trial, photo, inPerson, account, verified, events } = readSession(db, task)
  const { content, hash } = version
  const { input, at } = task
  const writer = writerOf(trial, null)
  const { write, moment } = writer
  const name = formName(form)
  const times = inPerson ? pageTimes(events, at) : []
  const statements = content.conditions.flatMap(({ id, title, description }): PdfPart[] => {
    const initials = input.initials?.[id]
    return [
      { as: 'heading', text: title, depth: 0 },
      ...(description ? [text(description)] : []),
      text(write(input.confirmations?.[id] ? 'consentPdf.confirmed' : 'consentPdf.notConfirmed', {})),
      ...(initials ? [text(write('consentPdf.initials', { initials }))] : []),
    ]
  })
  const quiz = content.quiz.flatMap(({ question, options, correct }): PdfPart[] => [
    { as: 'heading', text: question, depth: 0 },
    text(write('consentPdf.answer', { answer: options[correct] ?? '' })),
  ])
  const when = moment(at, 'UTC')
  const { method, image } = input.signature
  const parts: PdfPart[] = [
    small(write('consentPdf.form', { form: name, version: version.number, hash })),
    title(write('consentPdf.information', {})),
    ...blocksOf(richText(content.document)).map((block) =>
      block.as === 'image'
        ? { ...block, text: write('consentPdf.image', { text: block.text || '–', file: DATA }) }
        : block,
    ),
    ...(content.eligibilityCriteria === null
      ? []
      : [
          title(write('consentPdf.eligibility', {})),
          text(content.eligibilityCriteria),
          text(write('consentPdf.eligible', {})),
        ]),
    ...(statements.length ? [title(write('consentPdf.statements', {})), ...statements] : []),
    ...(quiz.length ? [title(write('consentPdf.quiz', {})), ...quiz] : []),
    title(write('consentPdf.signature', {})),
    text(write('consentPdf.name', { name: input.fullName.trim() })),
    ...(method === 'drawn' && image
      ? [text(write('consentPdf.drawn', {})), { as: 'drawing' as const, image }]
      : [text(write('consentPdf.typed', { name: input.signature.name ?? '' }))]),
    text(write('consentPdf.signedAt', { when })),
    title(write('consentPdf.identity', {})),
    ...(inPerson ? presenceLines(writer, inPerson).map(text) : []),
    ...(account === undefined ? [] : [text(write('consentPdf.ownAccount', { participant: account }))]),
    ...verified.map(({ address, verifiedAt }) =>
      text(write('consentPdf.verified', { address, when: moment(verifiedAt ?? at, 'UTC') })),
    ),
    ...(verified.length || inPerson || account !== undefined ? [] : [text(write('consentPdf.notVerified', {}))]),
    ...(photo?.sha256 ? [text(write('consentPdf.photo', { hash: photo.sha256 }))] : []),
    title(write('consentPdf.course', {})),
    ...eventParts(events, writer),
    ...(times.length ? [title(write('consentPdf.pages', {})), ...pageLines(writer, times).map(small)] : []),
  ]
  const data = {
    format: 1,
    trial: { _id: trial._id, name: trial.name, code: trial.code },
    form: { _id: form._id, formKey: form.formKey, name: form.name, version: version.number, hash, content },
    session: session._id,
    signedAt: instantText(at),
    signed: input,
    verified: verified.map(({ method, address, verifiedAt }) => ({
      ...{ method, address, verifiedAt: verifiedAt === null ? null : instantText(verifiedAt) },
    })),
    photo: photo?.sha256 ?? null,
    inPerson: inPerson ? { ...inPerson, pages: times } : null,
    account: account ?? null,
    events: events.map(({ createdAt, type, content }) => ({ createdAt: instantText(createdAt), type, ...content })),
  }
  return {
    parts,
    data,
    title: `${write('consentPdf.title', {})}: ${trial.name}`,
    about: `${name} · ${when} UTC`,
    unprintable: write('consentPdf.unprintable', { file: TEXT }),
  }
}
export type PdfContent = Omit<ReturnType<typeof contentOfPdf>, 'data'> & { data: unknown }
