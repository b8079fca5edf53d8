/** The page of a poll: `/poll/<trialCode>/<stageId>`, with the id of a custom link after it where there is one. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { SubmissionResult } from '#web/form/answers/model'
import type { StageDetail } from '#web/form/stage'
import type { AnswerOf } from '#web/kit/api/operations'
import { ask, type FailedAnswer } from '#web/kit/api/send'
import { noteAnswerLanguages, studyText } from '#web/kit/language/studyText'
import { newId } from '#web/kit/storage/ids'
import { Button, Skeleton } from '#web/kit/ui/components'
import type { Answers } from '#web/links/answers/pendingEntries'
import { useSubmission } from '#web/links/answers/useSubmission'
import { useTranslator } from '#web/links/texts'
import { LinkForm } from '../answers/linkForm'
import { Outcome } from '../answers/outcome'
import { EndPage, LinkPage, ReadError } from '../frame'
import { type ByContact, ContactCard } from './contactCard'

type Poll = AnswerOf<'openPoll'>

/** The poll as the form of a participant who has answered nothing. */
const formOf = ({ description, ...poll }: Poll): StageDetail => ({
  ...poll,
  ...{
    _id: poll.stage,
    stageRecurrence: null,
    enableAt: null,
    description: description ?? '',
    opened: '',
    answered: [],
  },
  ...{ enabled: true, completed: false, expired: false, adHoc: true },
})

const [, , trialCode = '', stageId = '', named] = location.pathname.split('/')
const PATH = `/polls/${trialCode}/${stageId}`

/** The custom link by which the person came. A broken one does not belong to the poll; the server refuses it. */
function linkOf(part: string | undefined): string | undefined {
  if (!part) return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
const link = linkOf(named)
const QUERY = link === undefined ? '' : `?${new URLSearchParams({ link })}`
/** Refusals that say that a contact which was confirmed is not, or may not answer. */
const UNCONFIRMED: ReadonlySet<string | undefined> = new Set(['needsCode', 'notConsented', 'answeredAlready'])

export function PollPage() {
  const translator = useTranslator()
  const { t, language } = translator
  const [poll, setPoll] = useState<Poll>()
  const [failure, setFailure] = useState<FailedAnswer>()
  const [attempt, again] = useState(0)
  /** The id with which the answers are sent, and for which contacts are confirmed. */
  const [entry, setEntry] = useState(newId)
  const [confirmed, setConfirmed] = useState<ByContact>({})
  const [faults, setFaults] = useState<ByContact>({})
  const contact = useRef<HTMLElement>(null)
  const { sent, isKept, refused, send, forget } = useSubmission()
  useEffect(() => {
    setFailure(undefined)
    void ask<Poll>(translator, 'GET', PATH + QUERY).then((answer) => {
      if (!answer.isDone) return setFailure(answer)
      noteAnswerLanguages(answer.body)
      setPoll(answer.body)
    })
  }, [attempt, language])

  const overline = poll && t('link.study', { study: poll.trialName })
  if (sent && sent.kind !== 'refused') {
    return (
      <Outcome sent={sent} isKept={isKept} overline={overline}>
        <div class="actions">
          <Button
            onPress={() => {
              forget()
              setEntry(newId())
              setConfirmed({})
              setFaults({})
            }}
          >
            {t('poll.another')}
          </Button>
        </div>
      </Outcome>
    )
  }
  if (!poll) {
    if (failure?.status === 404 || failure?.status === 422 || failure?.details.code === 'noSuchLink')
      return <EndPage icon="warning" title={t('poll.gone')} note={t('poll.goneNote')} />
    if (failure) return <ReadError failure={failure} onAgain={() => again(attempt + 1)} />
    return (
      <LinkPage title={t('site.loading')}>
        <Skeleton lines={6} />
      </LinkPage>
    )
  }
  if (!poll.isOpen && !refused)
    return <EndPage title={t('poll.closed')} note={t('poll.closedNote')} overline={overline} />
  const asksContact = poll.asksEmail || poll.asksPhone

  /** The contact as it stands in its fields, which are outside of the form. */
  function contactNow(): Record<string, string> {
    const fields = [...(contact.current?.querySelectorAll<HTMLInputElement>('[name=email], [name=phone]') ?? [])]
    return Object.fromEntries(fields.map(({ name, value }) => [name, value.trim()]).filter(([, value]) => value))
  }
  /** The contacts that are still to be entered or confirmed, each with what is to be done. */
  function openContacts({ asksEmail, asksPhone, provenContacts }: Poll): ByContact {
    const given = contactNow()
    const open: ByContact = {}
    if (asksEmail && !given.email) open.email = t('poll.needsEmail')
    if (asksPhone && !given.phone) open.phone = t('poll.needsPhone')
    for (const method of provenContacts) if (!confirmed[method]) open[method] = t('poll.confirmFirst')
    return open
  }
  /** Shows what is wrong with contacts, and leads to the first of them. */
  function markContacts(wrong: ByContact): void {
    setFaults(wrong)
    setTimeout(() => contact.current?.querySelector<HTMLElement>('input[aria-invalid]')?.focus())
  }
  async function sendAnswers(poll: Poll, answers: Answers): Promise<SubmissionResult> {
    const open = openContacts(poll)
    markContacts(open)
    if (Object.keys(open).length) {
      return { kind: 'refused', problem: { status: 0, message: '', fields: {} } }
    }
    const body = (id: string) => ({
      entry: id,
      ...contactNow(),
      ...(link === undefined ? {} : { link }),
      response: answers,
    })
    const result = await send(`${PATH}/responses`, body, answers, entry)
    if (result.kind === 'refused' && UNCONFIRMED.has(result.problem.code)) setConfirmed({})
    if (result.kind === 'refused' && result.problem.code === 'badEmail') markContacts({ email: t('poll.badEmail') })
    if (result.kind === 'refused' && result.problem.code === 'badPhone') markContacts({ phone: t('poll.badPhone') })
    return result
  }
  return (
    <LinkPage title={poll.name} isOfStudy overline={overline}>
      {poll.description && (
        <p class="lead" {...studyText(poll.description)}>
          {poll.description}
        </p>
      )}
      <p class="note">{t(asksContact ? 'poll.named' : 'poll.anonymous')}</p>
      <LinkForm
        key={entry}
        stage={formOf(poll)}
        sent={sent}
        initialAnswers={refused}
        send={(answers) => sendAnswers(poll, answers)}
      >
        {asksContact && (
          <ContactCard
            {...{ contactRequest: poll, path: PATH, entry, confirmed, faults, place: contact }}
            onConfirmed={(more) => setConfirmed((before) => ({ ...before, ...more }))}
            onTouched={() => setFaults({})}
          />
        )}
      </LinkForm>
    </LinkPage>
  )
}
