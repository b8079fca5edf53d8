/** Opens a one-time link: the first account, an invitation, a new password. */

import { useEffect, useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { ask } from '#web/kit/api/send'
import { Button, ButtonLink, EmptyState, Field, Notice, Skeleton, useForm } from '#web/kit/ui/components'
import { setHeading } from './heading'
import { momentText } from './momentText'
import { NewPassword, repetitionFault } from './newPassword'
import type { Translator } from './texts'
import { mountPage, useTranslator } from './translator'

type Link = AnswerOf<'readSetup'>

const path = `/setup/${location.pathname.split('/').at(-1)}`

function Setup() {
  const translator = useTranslator()
  const { t } = translator
  const [link, setLink] = useState<Link>()
  const [fault, setFault] = useState<{ isEnded: boolean; text: string }>()
  const [isDone, setDone] = useState(false)

  const end = () => {
    setHeading(t('setup.ended'))
    setFault({ isEnded: true, text: t('setup.endedNote') })
  }
  useEffect(() => {
    void ask<Link>(translator, 'GET', path).then((answer) => {
      if (answer.isDone) {
        setHeading(t(`setup.${answer.body.purpose}`))
        return setLink(answer.body)
      }
      if (answer.status === 404) end()
      else setFault({ isEnded: false, text: answer.message })
    })
  }, [translator, t])

  if (fault) return <EndedLink {...fault} />
  if (!link) return <Skeleton lines={4} />
  if (isDone) {
    const isReset = link.purpose === 'reset'
    return (
      <section class="card" role="status">
        <EmptyState
          icon="success"
          title={t(isReset ? 'setup.resetDone' : 'setup.done')}
          note={t(isReset ? 'setup.resetDoneNote' : 'setup.doneNote')}
        >
          <ButtonLink kind="main" href="/account">
            {t('setup.toAccount')}
          </ButtonLink>
        </EmptyState>
      </section>
    )
  }
  return <SetupForm link={link} onDone={() => setDone(true)} onEnded={end} />
}

/** A link that cannot be used, and what to do then. */
function EndedLink({ isEnded, text }: { isEnded: boolean; text: string }) {
  const { t } = useTranslator()
  return (
    <>
      <Notice kind="warning" isLive>
        {text}
      </Notice>
      <div class="actions">
        {isEnded ? (
          <>
            <ButtonLink href="/account">{t('signIn.submit')}</ButtonLink>
            <ButtonLink href="/account/forgotten">{t('signIn.forgot')}</ButtonLink>
          </>
        ) : (
          <Button onPress={() => location.reload()}>{t('account.tryAgain')}</Button>
        )}
      </div>
    </>
  )
}

/** What the link is for, in a sentence. */
function leadOf({ t }: Translator, { purpose, email, team, invitedBy }: Link): string {
  if (purpose === 'first') return t('setup.firstLead')
  if (purpose === 'reset' || team === null) return t('setup.accountOf', { email: email ?? '' })
  return invitedBy === null ? t('setup.invitedTo', { team }) : t('setup.invitedBy', { name: invitedBy, team })
}

type FormProps = { link: Link; onDone: () => void; onEnded: () => void }

function SetupForm({ link, onDone, onEnded }: FormProps) {
  const { purpose, email, name, expiresAt } = link
  const translator = useTranslator()
  const { t } = translator
  const isFirst = purpose === 'first'
  const { submit, isBusy, faults } = useForm(async (input) => {
    const differs = repetitionFault(translator, input)
    if (differs) return differs
    const { again: _again, username: _username, ...body } = input
    const answer = await ask(translator, 'POST', path, { body })
    if (answer.isDone) onDone()
    // It was used in another window, or has ended while the page was open.
    else if (answer.status === 404) onEnded()
    return answer
  })
  const at = faults.fields
  return (
    <>
      <p class="lead" dir="auto">
        {leadOf(translator, link)}
      </p>
      <form class="card" onSubmit={submit}>
        {isFirst && (
          <>
            <Field
              label={t('setup.team')}
              name="team"
              fault={at.team}
              minLength={2}
              maxLength={100}
              autoComplete="organization"
            />
            <Field
              label={t('setup.email')}
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
            label={t('setup.email')}
            name="username"
            type="email"
            note={t('setup.emailNote')}
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
            label={t('setup.name')}
            name="name"
            fault={at.name}
            initial={name ?? ''}
            isOptional={!isFirst}
            maxLength={100}
            autoComplete="name"
          />
        )}
        <NewPassword label={t('setup.password')} faults={at} />
        {purpose === 'reset' && <p class="note">{t('setup.resetNote')}</p>}
        <p class="note">{t('setup.until', { moment: momentText(translator, expiresAt) })}</p>
        {faults.message && <Notice kind="fault" title={faults.message} isLive />}
        <div class="actions">
          <Button kind="main" type="submit" isBusy={isBusy}>
            {t(purpose === 'reset' ? 'setup.choose' : 'setup.submit')}
          </Button>
        </div>
      </form>
    </>
  )
}

void mountPage(Setup)
