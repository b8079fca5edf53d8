import { useEffect, useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { Button, Notice } from '#web/kit/ui/components'
import { type TwoStep, useSession } from './session'
import { useTranslator } from './translator'

/** What the tiles say of the state, as far as the server has answered. */
type States = { twoStep?: TwoStep; sessions?: number; keys?: number }

/** The first page of the account: who is signed in, and a way to each part with its state. */
export function Overview() {
  const { t, count } = useTranslator()
  const { user, send } = useSession()
  const [{ twoStep, sessions, keys }, setStates] = useState<States>({})
  const [fault, setFault] = useState<string>()

  useEffect(() => {
    const add = (state: States) => setStates((before) => ({ ...before, ...state }))
    void send<TwoStep>('GET', '/users/me/totp').then((answer) => answer.isDone && add({ twoStep: answer.body }))
    void send<AnswerOf<'listSessions'>>('GET', '/users/me/sessions').then(
      (answer) => answer.isDone && add({ sessions: answer.body.count }),
    )
    void send<AnswerOf<'listApiKeys'>>('GET', '/users/me/api-keys').then(
      (answer) => answer.isDone && add({ keys: answer.body.apiKeys.length }),
    )
  }, [send])

  const signOut = async () => {
    const answer = await send('DELETE', '/sessions')
    // A session that has ended meanwhile needs no end.
    if (answer.isDone || answer.status === 401) location.reload()
    else setFault(answer.message)
  }
  const codesLeft = twoStep?.isOn ? ` · ${count('twoStep.left', twoStep.recoveryCodesLeft)}` : ''
  return (
    <>
      <div class="bar">
        <p class="lead">
          {t('account.signedInAs')} <bdi class="strong">{`${user.name} (${user.email})`}</bdi>
        </p>
        <Button onPress={signOut}>{t('signIn.signOut')}</Button>
      </div>
      {fault && <Notice kind="fault" title={fault} isLive />}
      <ul class="tiles">
        <Tile href="/account/profile" title={t('profile.title')} note={t('profile.about')} />
        <Tile href="/account/email" title={t('email.title')} note={t('email.about')} />
        <Tile href="/account/password" title={t('password.title')} note={t('password.about')} />
        <Tile
          href="/account/two-step"
          title={t('twoStep.title')}
          note={t('twoStep.short')}
          state={twoStep && t(twoStep.isOn ? 'twoStep.on' : 'twoStep.off') + codesLeft}
        />
        <Tile
          href="/account/sessions"
          title={t('sessions.title')}
          note={t('sessions.about')}
          state={sessions === undefined ? undefined : count('sessions.count', sessions)}
        />
        <Tile
          href="/account/keys"
          title={t('account.keysTitle')}
          note={t('account.noneNote')}
          state={keys === undefined ? undefined : count('account.keyCount', keys)}
        />
      </ul>
    </>
  )
}

type TileProps = { href: string; title: string; note: string; state?: string | undefined }

const Tile = ({ href, title, note, state }: TileProps) => (
  <li>
    <a class="card" href={href}>
      <strong>{title}</strong>
      <span>{note}</span>
      {state && <span class="tile-state">{state}</span>}
    </a>
  </li>
)
