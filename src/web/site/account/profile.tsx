import { builtIn } from '#web/kit/language/languages'
import { Button, EmptyState, Field, List, Notice, Select, showToast, useForm } from '#web/kit/ui/components'
import { type User, useSession } from './session'
import type { Translator } from './texts'
import { useTranslator } from './translator'

/** The languages that every server has for e-mails; a site may have added others. */
const OF_EMAILS = ['en', 'de', 'fr', 'es'] as const

/** The languages to choose from, with the one that the person has, if it is another. */
function choicesOf({ t }: Translator, own: string | null) {
  const known = OF_EMAILS.map((value): { value: string; label: string } => ({ value, label: builtIn[value].name }))
  const others = own === null || known.some(({ value }) => value === own) ? [] : [{ value: own, label: own }]
  return [{ value: '', label: t('profile.noLanguage') }, ...known, ...others]
}

/** What a person may do in a team, in words. */
function roleIn({ t }: Translator, permissions: readonly string[]): string {
  if (permissions.includes('team.admin')) return t('profile.admin')
  if (permissions.includes('trials.manage')) return t('profile.manager')
  return t(permissions.includes('trials.create') ? 'profile.creator' : 'profile.member')
}

/** Name and language, and the teams of the person. */
export function Page() {
  const translator = useTranslator()
  const { t } = translator
  const { user, setUser, send } = useSession()
  const { submit, isBusy, faults } = useForm(async ({ name, language }) => {
    const answer = await send<User>('PUT', '/users/me', { name, language: language ?? null })
    if (answer.isDone) {
      setUser(answer.body)
      showToast(t('profile.saved'))
    }
    return answer
  })
  const at = faults.fields
  return (
    <>
      <form class="card" onSubmit={submit} aria-label={t('profile.title')}>
        <Field
          label={t('setup.name')}
          name="name"
          note={t('profile.nameNote')}
          fault={at.name}
          initial={user.name}
          maxLength={100}
          autoComplete="name"
        />
        <Field
          label={t('signIn.email')}
          name="email"
          type="email"
          note={t('profile.emailNote')}
          initial={user.email}
          isReadOnly
          autoComplete="username"
        />
        <p>
          <a href="/account/email">{t('email.change')}</a>
        </p>
        <Select
          label={t('profile.language')}
          name="language"
          note={t('profile.languageNote')}
          fault={at.language}
          options={choicesOf(translator, user.language)}
          initial={[user.language ?? '']}
          isOptional
        />
        {faults.message && <Notice kind="fault" title={faults.message} isLive />}
        <div class="actions">
          <Button kind="main" type="submit" isBusy={isBusy}>
            {t('profile.save')}
          </Button>
        </div>
      </form>
      <section class="card">
        <h2>{t('profile.teams')}</h2>
        {user.teams.length === 0 ? (
          <EmptyState title={t('profile.noTeams')} note={t('profile.noTeamsNote')} />
        ) : (
          <List
            label={t('profile.teams')}
            items={user.teams}
            keyOf={({ _id }) => _id}
            titleOf={({ name }) => name}
            notesOf={({ permissions }) => [roleIn(translator, permissions)]}
          />
        )}
      </section>
    </>
  )
}
