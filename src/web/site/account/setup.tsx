/** Opens a one-time link: the first account, an invitation, a new password. */
import { useEffect, useState } from 'preact/hooks'
import { Button, ButtonLink, EmptyState, Field, Notice, Skeleton, useForm } from '#web/ui/components'
import { setHeading } from './heading'
import { momentText } from './moments'
import { NewPassword, refusedRepetition } from './newPassword'
import { askInWords } from './refusals'
import { mountPage, useSpeaker } from './speaking'
import type { Speaker } from './texts'

type Link = {
  email: string | null
  name: string | null
  purpose: 'first' | 'invitation' | 'reset'
  expiresAt: string
  team: string | null
  invitedBy: string | null
}

const path = `/setup/${location.pathname.split('/').at(-1)}`

function Setup() {
  const speaker = useSpeaker()
  const { say } = speaker
  const [link, setLink] = useState<Link>()
  const [fault, setFault] = useState<{ isEnded: boolean; text: string }>()
  const [isDone, setDone] = useState(false)

  const end = () => {
    setHeading(say('setup.ended'))
    setFault({ isEnded: true, text: say('setup.endedNote') })
  }
  useEffect(() => {
    void askInWords<Link>(speaker, 'GET', path).then((answer) => {
      if (answer.isDone) {
        setHeading(say(`setup.${answer.body.purpose}`))
        return setLink(answer.body)
      }
      if (answer.status === 404) end()
      else setFault({ isEnded: false, text: answer.message })
    })
  }, [speaker, say])

  if (fault) return <Ended {...fault} />
  if (!link) return <Skeleton lines={4} />
  if (isDone) {
    const isReset = link.purpose === 'reset'
    return (
      <section class="card" role="status">
        <EmptyState
          icon="success"
          title={say(isReset ? 'setup.resetDone' : 'setup.done')}
          note={say(isReset ? 'setup.resetDoneNote' : 'setup.doneNote')}
        >
          <ButtonLink kind="main" href="/account">
            {say('setup.toAccount')}
          </ButtonLink>
        </EmptyState>
      </section>
    )
  }
  return <SetupForm link={link} onDone={() => setDone(true)} onEnded={end} />
}

/** A link that cannot be used, and what to do then. */
function Ended({ isEnded, text }: { isEnded: boolean; text: string }) {
  const { say } = useSpeaker()
  return (
    <>
      <Notice kind="warning" isLive>
        {text}
      </Notice>
      <div class="actions">
        {isEnded ? (
          <>
            <ButtonLink href="/account">{say('account.signIn')}</ButtonLink>
            <ButtonLink href="/account/forgotten">{say('account.forgot')}</ButtonLink>
          </>
        ) : (
          <Button onPress={() => location.reload()}>{say('account.tryAgain')}</Button>
        )}
      </div>
    </>
  )
}

/** What the link is for, in a sentence. */
function leadOf({ say }: Speaker, { purpose, email, team, invitedBy }: Link): string {
  if (purpose === 'first') return say('setup.firstLead')
  if (purpose === 'reset' || team === null) return say('setup.accountOf', { email: email ?? '' })
  return invitedBy === null ? say('setup.invitedTo', { team }) : say('setup.invitedBy', { name: invitedBy, team })
}

type FormProps = { link: Link; onDone: () => void; onEnded: () => void }

function SetupForm({ link, onDone, onEnded }: FormProps) {
  const { purpose, email, name, expiresAt } = link
  const speaker = useSpeaker()
  const { say } = speaker
  const isFirst = purpose === 'first'
  const { submit, isBusy, faults } = useForm(async (input) => {
    const differs = refusedRepetition(speaker, input)
    if (differs) return differs
    const { again: _again, username: _username, ...body } = input
    const answer = await askInWords(speaker, 'POST', path, { body })
    if (answer.isDone) onDone()
    // It was used in another window, or has ended while the page was open.
    else if (answer.status === 404) onEnded()
    return answer
  })
  const at = faults.fields
  return (
    <>
      <p class="lead" dir="auto">
        {leadOf(speaker, link)}
      </p>
      <form class="card" onSubmit={submit}>
        {isFirst && (
          <>
            <Field
              label={say('setup.team')}
              name="team"
              fault={at.team}
              minLength={2}
              maxLength={100}
              autoComplete="organization"
            />
            <Field
              label={say('setup.email')}
              name="email"
              type="email"
              fault={at.email}
              maxLength={200}
              autoComplete="username"
            />
          </>
        )}
        {purpose === 'invitation' && (
          <Field
            label={say('setup.email')}
            name="username"
            type="email"
            note={say('setup.emailNote')}
            initial={email ?? ''}
            isReadOnly
            autoComplete="username"
          />
        )}
        {purpose === 'reset' && (
          <input
            class="hidden"
            name="username"
            value={email ?? ''}
            autoComplete="username"
            tabIndex={-1}
            readOnly
            aria-hidden
          />
        )}
        {purpose !== 'reset' && (
          <Field
            label={say('setup.name')}
            name="name"
            fault={at.name}
            initial={name ?? ''}
            isOptional={!isFirst}
            maxLength={100}
            autoComplete="name"
          />
        )}
        <NewPassword label={say('setup.password')} faults={at} />
        {purpose === 'reset' && <p class="note">{say('setup.resetNote')}</p>}
        <p class="note">{say('setup.until', { moment: momentText(speaker, expiresAt) })}</p>
        {faults.message && <Notice kind="fault" title={faults.message} isLive />}
        <div class="actions">
          <Button kind="main" type="submit" isBusy={isBusy}>
            {say(purpose === 'reset' ? 'setup.choose' : 'setup.submit')}
          </Button>
        </div>
      </form>
    </>
  )
}

void mountPage(Setup)
