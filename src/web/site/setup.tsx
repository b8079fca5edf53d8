/** Opens a one-time link: the first account, an invitation, a new password. */
import { useEffect, useState } from 'preact/hooks'
import { ask } from '#web/common/api'
import { Button, ButtonLink, EmptyState, Field, Notice, refusedField, Skeleton, useForm } from '#web/ui/components'
import { mountPage, useSpeaker } from './speaking'

type Link = { email: string | null; name: string | null; purpose: 'first' | 'invitation' | 'reset' }

const path = `/setup/${location.pathname.split('/').at(-1)}`

/** The heading is a part of the page that the server wrote. */
const setTitle = (text: string) => {
  const title = document.querySelector('h1')
  if (title) title.textContent = text
}

function Setup() {
  const speaker = useSpeaker()
  const { say } = speaker
  const [link, setLink] = useState<Link>()
  const [fault, setFault] = useState<string>()
  const [isDone, setDone] = useState(false)

  useEffect(() => {
    void ask<Link>(speaker, 'GET', path).then((answer) => {
      if (answer.isDone) {
        setTitle(say(`setup.${answer.body.purpose}`))
        return setLink(answer.body)
      }
      const isEnded = answer.status === 404
      if (isEnded) setTitle(say('setup.ended'))
      setFault(isEnded ? say('setup.endedNote') : answer.message)
    })
  }, [speaker, say])

  if (fault) {
    return (
      <Notice kind="warning" isLive>
        {fault}
      </Notice>
    )
  }
  if (!link) return <Skeleton lines={4} />
  if (isDone) {
    return (
      <section class="card" role="status">
        <EmptyState icon="success" title={say('setup.done')} note={say('setup.doneNote')}>
          <ButtonLink kind="main" href="/account">
            {say('setup.toAccount')}
          </ButtonLink>
        </EmptyState>
      </section>
    )
  }
  return <SetupForm link={link} onDone={() => setDone(true)} />
}

function SetupForm({ link: { purpose, email, name }, onDone }: { link: Link; onDone: () => void }) {
  const speaker = useSpeaker()
  const { say } = speaker
  const isFirst = purpose === 'first'
  const { submit, isBusy, faults } = useForm(async ({ again, ...input }) => {
    if (input.password !== again) return refusedField('again', say('setup.differ'))
    const answer = await ask(speaker, 'POST', path, { body: input })
    if (answer.isDone) onDone()
    return answer
  })
  const at = faults.fields
  return (
    <>
      <p class="lead">{isFirst ? say('setup.firstLead') : say('setup.accountOf', { email: email ?? '' })}</p>
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
        <Field
          label={say('setup.password')}
          name="password"
          type="password"
          note={say('setup.rule')}
          fault={at.password}
          minLength={10}
          maxLength={200}
          autoComplete="new-password"
        />
        <Field
          label={say('setup.again')}
          name="again"
          type="password"
          fault={at.again}
          maxLength={200}
          autoComplete="new-password"
        />
        {faults.message && <Notice kind="fault" title={faults.message} isLive />}
        <div class="actions">
          <Button kind="main" type="submit" isBusy={isBusy}>
            {say('setup.submit')}
          </Button>
        </div>
      </form>
    </>
  )
}

await mountPage(Setup)
