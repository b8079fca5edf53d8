/** What became of answers. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { AnswerTexts } from '#texts/answers/en'
import type { EntryProblem, Said, Sent, Told } from '#web/app/device/model'
import { sentenceOf } from '#web/app/form/problems'
import { Covering, ToldAfter } from '#web/app/form/said'
import type { Written } from '#web/app/form/written'
import { localeOf } from '#web/common/texts'
import { Notice, Progress } from '#web/ui/components'
import { EndPage } from '../frame'
import { useSpeaker } from '../speaking'
import type { Progressing } from './kept'

type Props = {
  sent: Exclude<Sent, { kind: 'refused' }>
  /** What the device knew when it was sent. */
  said?: Said | undefined
  /** Whether the device keeps answers that wait. */
  isKept: boolean
  over: string | undefined
  progress?: Progressing | undefined
  children?: ComponentChildren
}

/** The file that is on its way, and how much of it has left the device. */
export function Uploading({ progress }: { progress: Progressing | undefined }) {
  const { say, language } = useSpeaker()
  if (!progress) return null
  const percent = new Intl.NumberFormat(localeOf(language), { style: 'percent' })
  const { name, share } = progress
  return <Progress label={say('stage.uploading', { name })} share={share} note={percent.format(share)} />
}

/** The oldest urgent message that was not read. @param about what it is about: the study */
export function UrgentTold({ messages, about }: { messages: readonly Told[]; about: string | undefined }) {
  const [read, setRead] = useState<readonly string[]>([])
  const first = messages.find(({ id, severity }) => severity === 'urgent' && !read.includes(id))
  if (!first) return null
  const { id, message } = first
  return <Covering key={id} message={message} about={about} onRead={() => setRead([...read, id])} />
}

/** The page after the answers have been sent, or while they wait for a connection. */
export function Outcome(props: Props) {
  const { sent, said, over } = props
  const known = said?.messages ?? []
  // Of the server only what the device has not said.
  const more = sent.kind === 'stored' ? sent.messages.filter(({ id }) => known.every((each) => each.id !== id)) : []
  const messages = [...known, ...more]
  return (
    <>
      <OutcomePage {...props} messages={messages} />
      <UrgentTold messages={messages} about={over} />
    </>
  )
}

function OutcomePage({ sent, said, isKept, over, progress, children, messages }: Props & { messages: Told[] }) {
  const { say } = useSpeaker()
  const text = (sent.kind === 'stored' ? sent.postSubmissionText : null) ?? said?.text ?? null
  const told = <ToldAfter text={text} messages={messages} />
  if (sent.kind === 'waiting') {
    const [title, note] = isKept
      ? [say('form.waiting'), say('stage.waitingNote')]
      : [say('stage.unkept'), say('stage.unkeptNote')]
    return (
      <EndPage icon={isKept ? 'inbox' : 'warning'} title={title} note={note} over={over}>
        {told}
        <Uploading progress={progress} />
        {children}
      </EndPage>
    )
  }
  return (
    <EndPage icon="success" title={say('form.stored')} note={say('link.close')} over={over}>
      {told}
      {children}
    </EndPage>
  )
}

/** Why the server did not take the answers, above the form with them. */
export function Refusal({ problem, texts, written }: { problem: EntryProblem; texts: AnswerTexts; written: Written }) {
  const { say } = useSpeaker()
  const { code, message, fields, status } = problem
  // Each with what to do, where nothing on the page can be done.
  const known: Record<string, readonly [title: string, note?: string]> = {
    closed: [say('stage.closed'), say('stage.closedNote')],
    notOpenYet: [say('stage.notYet'), say('stage.soonNote')],
    withdrawn: [say('stage.withdrawn'), say('stage.withdrawnNote')],
    archived: [say('stage.withdrawn'), say('stage.withdrawnNote')],
    consentWithdrawn: [say('stage.consentWithdrawn'), say('stage.withdrawnNote')],
    consentMissing: [say('stage.consentNeeded'), say('stage.consentNeededNote')],
    consentOutdated: [say('stage.consentNeeded'), say('stage.consentNeededNote')],
    databaseLocked: [say('stage.locked'), say('stage.lockedNote')],
    expired: [say('link.expired'), say('link.expiredNote')],
    noSuchLink: [say('link.ended'), say('link.endedNote')],
    needsCode: [say('poll.confirmFirst')],
    notConsented: [say('poll.notConsented')],
    answeredAlready: [say('poll.answeredAlready')],
    needsEmail: [say('poll.needsEmail')],
    needsPhone: [say('poll.needsPhone')],
    badEmail: [say('poll.badEmail')],
    badPhone: [say('poll.badPhone')],
  }
  // Of a link that has ended, the server says no more.
  const end = code === undefined && status === 404 ? 'noSuchLink' : code
  const [title, note] = (end !== undefined && Object.hasOwn(known, end) && known[end]) || [say('form.refused'), message]
  return (
    <Notice kind="fault" title={title} isLive>
      {Object.keys(fields).length > 0 ? (
        <ul class="refusals">
          {Object.entries(fields).map(([dataType, each]) => (
            <li key={dataType}>
              <bdi>{sentenceOf(each, texts, written)}</bdi>
            </li>
          ))}
        </ul>
      ) : (
        note && <p dir="auto">{note}</p>
      )}
      <p>{say('stage.refusedNote')}</p>
    </Notice>
  )
}
