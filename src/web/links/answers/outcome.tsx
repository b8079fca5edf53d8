/** What became of answers. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { AnswerTexts } from '#texts/answers/en'
import type { EntryProblem, RuleMessage, SubmissionFeedback, SubmissionResult } from '#web/form/answers/model'
import { Faults } from '#web/form/formView'
import { FormMessages, UrgentMessage } from '#web/form/messages'
import type { ValueFormatter } from '#web/form/valueFormatter'
import { localeOf } from '#web/kit/language/languages'
import { Notice, Progress } from '#web/kit/ui/components'
import { useTranslator } from '#web/links/texts'
import { EndPage } from '../frame'
import type { UploadProgress } from './pendingEntries'

type Props = {
  sent: Exclude<SubmissionResult, { kind: 'refused' }>
  /** What the device knew when it was sent. */
  feedback?: SubmissionFeedback | undefined
  /** Whether the device keeps answers that wait. */
  isKept: boolean
  overline: string | undefined
  progress?: UploadProgress | undefined
  children?: ComponentChildren
}

/** The file that is on its way, and how much of it has left the device. */
export function UploadProgressBar({ progress }: { progress: UploadProgress | undefined }) {
  const { t, language } = useTranslator()
  if (!progress) return null
  const percent = new Intl.NumberFormat(localeOf(language), { style: 'percent' })
  const { name, share } = progress
  return <Progress label={t('stage.uploading', { name })} share={share} note={percent.format(share)} />
}

/** The oldest urgent message that was not read. @param about what it is about: the study */
export function UrgentMessages({ messages, about }: { messages: readonly RuleMessage[]; about: string | undefined }) {
  const [read, setRead] = useState<readonly string[]>([])
  const first = messages.find(({ id, severity }) => severity === 'urgent' && !read.includes(id))
  if (!first) return null
  const { id, message } = first
  return <UrgentMessage key={id} message={message} about={about} onRead={() => setRead([...read, id])} />
}

/** The page after the answers have been sent, or while they wait for a connection. */
export function Outcome(props: Props) {
  const { sent, feedback, overline } = props
  const known = feedback?.messages ?? []
  // From the server, only messages that the device has not shown.
  const more = sent.kind === 'stored' ? sent.messages.filter(({ id }) => known.every((each) => each.id !== id)) : []
  const messages = [...known, ...more]
  return (
    <>
      <OutcomePage {...props} messages={messages} />
      <UrgentMessages messages={messages} about={overline} />
    </>
  )
}

function OutcomePage({
  sent,
  feedback,
  isKept,
  overline,
  progress,
  children,
  messages,
}: Props & { messages: RuleMessage[] }) {
  const { t } = useTranslator()
  const text = (sent.kind === 'stored' ? sent.postSubmissionText : null) ?? feedback?.text ?? null
  const messageList = <FormMessages text={text} messages={messages} />
  if (sent.kind === 'waiting') {
    const [title, note] = isKept
      ? [t('form.waiting'), t('stage.waitingNote')]
      : [t('stage.unkept'), t('stage.unkeptNote')]
    return (
      <EndPage icon={isKept ? 'inbox' : 'warning'} title={title} note={note} overline={overline}>
        {messageList}
        <UploadProgressBar progress={progress} />
        {children}
      </EndPage>
    )
  }
  return (
    <EndPage icon="success" title={t('form.stored')} note={t('link.close')} overline={overline}>
      {messageList}
      {children}
    </EndPage>
  )
}

/** Why the server did not take the answers, above the form with them. */
export function Refusal({
  problem,
  texts,
  formatValue,
}: {
  problem: EntryProblem
  texts: AnswerTexts
  formatValue: ValueFormatter
}) {
  const { t } = useTranslator()
  const { code, message, fields } = problem
  const ended = [t('link.ended'), t('link.endedNote')] as const
  // Each with what to do, where nothing on the page can be done.
  const known: Record<string, readonly [title: string, note?: string]> = {
    closed: [t('stage.closed'), t('stage.closedNote')],
    notOpenYet: [t('stage.notYet'), t('stage.soonNote')],
    withdrawn: [t('stage.withdrawn'), t('stage.withdrawnNote')],
    archived: [t('stage.withdrawn'), t('stage.withdrawnNote')],
    consentWithdrawn: [t('stage.consentWithdrawn'), t('stage.withdrawnNote')],
    consentMissing: [t('stage.consentNeeded'), t('stage.consentNeededNote')],
    consentOutdated: [t('stage.consentNeeded'), t('stage.consentNeededNote')],
    databaseLocked: [t('stage.locked'), t('stage.lockedNote')],
    expired: [t('link.expired'), t('link.expiredNote')],
    noSuchLink: ended,
    linkEnded: ended,
    notFound: ended,
    needsCode: [t('poll.confirmFirst')],
    notConsented: [t('poll.notConsented')],
    answeredAlready: [t('poll.answeredAlready')],
    needsEmail: [t('poll.needsEmail')],
    needsPhone: [t('poll.needsPhone')],
    badEmail: [t('poll.badEmail')],
    badPhone: [t('poll.badPhone')],
  }
  const [title, note] = (code !== undefined && Object.hasOwn(known, code) && known[code]) || [
    t('form.refused'),
    message,
  ]
  return (
    <Notice kind="fault" title={title} isLive>
      {Object.keys(fields).length > 0 ? (
        <Faults fields={fields} texts={texts} formatValue={formatValue} />
      ) : (
        note && <p dir="auto">{note}</p>
      )}
      <p>{t('stage.refusedNote')}</p>
    </Notice>
  )
}
