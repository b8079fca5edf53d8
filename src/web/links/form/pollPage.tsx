/** The page of a poll: `/poll/<trialCode>/<stageId>`, with the id of a custom link after it where there is one. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { StageDetail } from '#web/app/form/stage'
import { type Answer, ask } from '#web/common/api'
import { Button, Field, Notice, Skeleton } from '#web/ui/components'
import { EndPage, LinkPage, NotRead } from '../frame'
import { useSpeaker } from '../speaking'
import { Fill } from './fill'
import type { Answers } from './kept'
import { Outcome } from './outcome'
import { useSending } from './useSending'

type Poll = Pick<
  StageDetail,
  'name' | 'allowIncompleteSubmission' | 'oneQuestionPerScreen' | 'showProgressBar' | 'zone' | 'version' | 'components'
> & {
  stage: string
  trialName: string
  description: string | null
  isOpen: boolean
  asksEmail: boolean
  asksPhone: boolean
  needsProof: boolean
}
type Refused = Extract<Answer<never>, { isDone: false }>

/** The poll as the form of a participant who has answered nothing. */
const formOf = ({ description, ...poll }: Poll): StageDetail => ({
  ...poll,
  ...{ _id: poll.stage, stageRecurrence: null, description: description ?? '', opened: '', answered: [] },
  ...{ enabled: true, completed: false, expired: false, adHoc: true },
})

const [, , trialCode = '', stageId = '', link] = location.pathname.split('/')
const PATH = `/polls/${trialCode}/${stageId}`

export function PollPage() {
  const speaker = useSpeaker()
  const { say, language } = speaker
  const [poll, setPoll] = useState<Poll>()
  const [failure, setFailure] = useState<Refused>()
  const [attempt, again] = useState(0)
  const [round, setRound] = useState(0)
  const contact = useRef<HTMLElement>(null)
  const { sent, refused, send, forget } = useSending()
  useEffect(() => {
    setFailure(undefined)
    void ask<Poll>(speaker, 'GET', PATH, { headers: { 'Accept-Language': language } }).then((answer) =>
      answer.isDone ? setPoll(answer.body) : setFailure(answer),
    )
  }, [attempt, language])

  const over = poll && say('link.study', { study: poll.trialName })
  if (sent && sent.kind !== 'refused') {
    return (
      <Outcome sent={sent} over={over}>
        <div class="actions">
          <Button
            onPress={() => {
              forget()
              setRound(round + 1)
            }}
          >
            {say('poll.another')}
          </Button>
        </div>
      </Outcome>
    )
  }
  if (!poll) {
    if (failure?.status === 404) return <EndPage icon="warning" title={say('poll.gone')} note={say('poll.goneNote')} />
    if (failure) return <NotRead failure={failure} onAgain={() => again(attempt + 1)} />
    return (
      <LinkPage title={say('site.loading')}>
        <Skeleton lines={6} />
      </LinkPage>
    )
  }
  if (!poll.isOpen && !refused) return <EndPage title={say('poll.closed')} note={say('poll.closedNote')} over={over} />
  if (poll.needsProof)
    return <EndPage icon="warning" title={say('poll.needsProof')} note={say('poll.needsProofNote')} over={over} />
  const asksContact = poll.asksEmail || poll.asksPhone

  /** The contact as it stands in its fields, which are outside of the form. */
  function contactNow(): Record<string, string> {
    const fields = [...(contact.current?.querySelectorAll('input') ?? [])]
    return Object.fromEntries(fields.map(({ name, value }) => [name, value.trim()]).filter(([, value]) => value))
  }
  const body = (entry: string, answers: Answers) => ({
    entry,
    ...contactNow(),
    ...(link ? { link: decodeURIComponent(link) } : {}),
    response: answers,
  })
  return (
    <LinkPage title={poll.name} over={over}>
      {poll.description && (
        <p class="lead">
          <bdi>{poll.description}</bdi>
        </p>
      )}
      <p class="note">{say(asksContact ? 'poll.named' : 'poll.anonymous')}</p>
      <Fill
        key={round}
        stage={formOf(poll)}
        sent={sent}
        begun={refused}
        send={(answers) => send(`${PATH}/responses`, (entry) => body(entry, answers), answers)}
      >
        {asksContact && (
          <section class="card" ref={contact} aria-labelledby="contact">
            <h2 id="contact">{say('poll.contact')}</h2>
            <Notice kind="info">{say('poll.contactNote')}</Notice>
            {poll.asksEmail && <Field label={say('poll.email')} name="email" type="email" autoComplete="email" />}
            {poll.asksPhone && (
              <Field label={say('poll.phone')} name="phone" note={say('poll.phoneNote')} autoComplete="tel" />
            )}
          </section>
        )}
      </Fill>
    </LinkPage>
  )
}
