import { languages } from '#web/common/texts'
import { Button, EmptyState, Field, List, Notice, Select, showToast, useForm } from '#web/ui/components'
import { type User, useSession } from './session'
import { useSpeaker } from './speaking'
import type { Speaker } from './texts'

/** The languages that every server has for e-mails; a site may have added others. */
const OF_EMAILS = ['en', 'de', 'fr', 'es'] as const

/** The languages to choose from, with the one that the person has, if it is another. */
function choicesOf({ say }: Speaker, own: string | null) {
  const known = OF_EMAILS.map((value): { value: string; label: string } => ({ value, label: languages[value].name }))
  const others = own === null || known.some(({ value }) => value === own) ? [] : [{ value: own, label: own }]
  return [{ value: '', label: say('profile.noLanguage') }, ...known, ...others]
}

/** What a person may do in a team, in words. */
function roleIn({ say }: Speaker, permissions: readonly string[]): string {
  if (permissions.includes('team.admin')) return say('profile.admin')
  if (permissions.includes('trials.manage')) return say('profile.manager')
  return say(permissions.includes('trials.create') ? 'profile.creator' : 'profile.member')
}

/** Name and language, and the teams of the person. */
export function Page() {
  const speaker = useSpeaker()
  const { say } = speaker
  const { user, setUser, send } = useSession()
  const { submit, isBusy, faults } = useForm(async ({ name, language }) => {
    const answer = await send<User>('PUT', '/users/me', { name, language: language ?? null })
    if (answer.isDone) {
      setUser(answer.body)
      showToast(say('profile.saved'))
    }
    return answer
  })
  const at = faults.fields
  return (
    <>
      <form class="card" onSubmit={submit} aria-label={say('profile.title')}>
        <Field
          label={say('setup.name')}
          name="name"
          note={say('profile.nameNote')}
          fault={at.name}
          initial={user.name}
          maxLength={100}
          autoComplete="name"
        />
        <Field
          label={say('account.email')}
          name="email"
          type="email"
          note={say('profile.emailNote')}
          initial={user.email}
          isReadOnly
          autoComplete="username"
        />
        <p>
          <a href="/account/email">{say('email.change')}</a>
        </p>
        <Select
          label={say('profile.language')}
          name="language"
          note={say('profile.languageNote')}
          fault={at.language}
          options={choicesOf(speaker, user.language)}
          initial={[user.language ?? '']}
          isOptional
        />
        {faults.message && <Notice kind="fault" title={faults.message} isLive />}
        <div class="actions">
          <Button kind="main" type="submit" isBusy={isBusy}>
            {say('profile.save')}
          </Button>
        </div>
      </form>
      <section class="card">
        <h2>{say('profile.teams')}</h2>
        {user.teams.length === 0 ? (
          <EmptyState title={say('profile.noTeams')} note={say('profile.noTeamsNote')} />
        ) : (
          <List
            label={say('profile.teams')}
            items={user.teams}
            keyOf={({ _id }) => _id}
            titleOf={({ name }) => name}
            notesOf={({ permissions }) => [roleIn(speaker, permissions)]}
          />
        )}
      </section>
    </>
  )
}
