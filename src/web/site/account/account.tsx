/** The account of a member of staff: each part has an address of its own below `/account`. */
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { type Answer, ask } from '#web/kit/api/send'
import type { Session } from '#web/kit/signIn/signIn'
import { Button, Notice, Skeleton, showToast, Toasts } from '#web/kit/ui/components'
import { setHeading } from './heading'
import { lazyPage } from './lazyPage'
import { Overview } from './overview'
import { type SessionContext, SessionProvider } from './session'
import { SignIn } from './signIn'
import { mountPage, useTranslator } from './translator'

/** The parts that need a session, by the last piece of their address, with the key of their title. */
const parts = {
  profile: { title: 'profile.title', Page: lazyPage(() => import('./profile')) },
  email: { title: 'email.title', Page: lazyPage(() => import('./email')) },
  password: { title: 'password.title', Page: lazyPage(() => import('./password')) },
  'two-step': { title: 'twoStep.title', Page: lazyPage(() => import('./twoStep')) },
  sessions: { title: 'sessions.title', Page: lazyPage(() => import('./sessions')) },
  keys: { title: 'account.keysTitle', Page: lazyPage(() => import('./keys')) },
} as const

const Forgotten = lazyPage(() => import('./forgotten'))

const isPart = (name: string): name is keyof typeof parts => Object.hasOwn(parts, name)
const place = location.pathname.split('/')[2] ?? ''
const part = isPart(place) ? parts[place] : undefined

/** Whether the page of the server's health sent the person here to sign in. */
const toHealth = new URLSearchParams(location.search).get('to') === 'health'

function Account() {
  const translator = useTranslator()
  const { t } = translator
  // Undefined until the server has said whether there is a session, null if there is none.
  const [session, setSession] = useState<Session | null>()
  const [hasEnded, setEnded] = useState(false)
  const [fault, setFault] = useState<string>()

  const load = useCallback(async () => {
    setFault(undefined)
    const answer = await ask<Session>(translator, 'GET', '/sessions')
    if (answer.isDone) setSession(answer.body)
    else if (answer.status === 401) setSession(null)
    else setFault(answer.message)
  }, [translator])
  useEffect(() => void load(), [load])
  useEffect(() => {
    if (session && part) setHeading(t(part.title))
  }, [session, t])

  const csrfToken = session?.csrfToken
  const send = useCallback(
    async <T,>(method: Parameters<typeof ask>[1], path: string, body?: unknown): Promise<Answer<T>> => {
      const answer = await ask<T>(translator, method, path, { body, csrfToken })
      if (!answer.isDone && answer.status === 401) {
        setEnded(true)
        setSession(null)
      }
      // Somebody, perhaps another person, has signed in in another window: the page begins anew as theirs.
      if (!answer.isDone && answer.details.code === 'csrf') {
        showToast(t('signIn.other'), 'info')
        setSession(undefined)
        void load()
      }
      return answer
    },
    [translator, csrfToken, load],
  )
  const user = session?.user
  const sessionContext = useMemo((): SessionContext | undefined => {
    if (!user) return undefined
    return { user, send, setUser: (user) => setSession((before) => before && { ...before, user }) }
  }, [user, send])

  if (fault) {
    return (
      <Notice kind="fault" title={fault} isLive>
        <Button onPress={load}>{t('account.tryAgain')}</Button>
      </Notice>
    )
  }
  if (session === undefined) return <Skeleton lines={4} />
  if (!sessionContext) {
    return (
      <SignIn
        hasEnded={hasEnded}
        onSignedIn={(session) => {
          if (toHealth) return location.assign('/health')
          setEnded(false)
          setSession(session)
        }}
      />
    )
  }
  return (
    <SessionProvider value={sessionContext}>
      {part ? (
        <>
          <p class="back">
            <a href="/account">{t('account.back')}</a>
          </p>
          <part.Page />
        </>
      ) : (
        <Overview />
      )}
      <Toasts />
    </SessionProvider>
  )
}

void mountPage(place === 'forgotten' ? Forgotten : Account)
