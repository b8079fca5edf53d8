/** The frame of the app for a person who is signed in: header, menu, the state of the connection, and the page. */

import { useEffect } from 'preact/hooks'
import { Mark } from '#web/kit/page/page'
import { isTablet } from '#web/kit/storage/smallStorage'
import { Boundary, EmptyState, Icon, Toasts } from '#web/kit/ui/components'
import { StudyText } from '#web/kit/ui/studyText'
import { useCopy } from '#web/participant/device/copies'
import { unreadNotices } from '#web/participant/device/notices'
import { isOnline, needsSignIn } from '#web/participant/device/session'
import { route } from '#web/participant/route'
import { useTranslator } from '#web/participant/texts'
import type { Me } from './apiTypes'
import { Home } from './home'
import { lazyPage } from './lazyPage'
import { Menu } from './menu'
import { Page as More } from './more'
import { useOfflinePages } from './offlinePages'
import { sendMessages } from './outbox'
import { Page as Frame } from './page'
import { Page as Waiting } from './savedEntries'
import { SessionEnded } from './sessionEnded'
import { Status } from './status'
import { StudyProvider } from './study'
import { countUnread, unread } from './unread'
import { UrgentNotice } from './urgent'

const Messages = lazyPage(() => import('./messages'))
const Calendar = lazyPage(() => import('./calendar'))
const Resources = lazyPage(() => import('./resources'))
const You = lazyPage(() => import('./profile'))
const Food = lazyPage(() => import('./food'))
const Connections = lazyPage(() => import('./connections'))
const Rewards = lazyPage(() => import('./rewards'))
const Form = lazyPage(() => import('./form'))

/** How often the number of unread messages is read while the app is shown, in milliseconds. */
const POLL_INTERVAL = 60_000

/** Counts at each page to which the person comes, and while the app is shown. */
function useUnread(): void {
  const path = route.value
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible' && isOnline.value) void countUnread()
    }
    look()
    const timer = setInterval(look, POLL_INTERVAL)
    return () => clearInterval(timer)
  }, [path])
}

/** Sends messages that were written without a connection or a session, whichever page is shown. */
function useOutbox(): void {
  const maySend = isOnline.value && !needsSignIn.value
  useEffect(() => {
    if (maySend) void sendMessages()
  }, [maySend])
}

/** Notifications on this device go on after the server has replaced its key. */
function useNotifications(me: Me | undefined): void {
  const publicKey = me?.pushHere && isOnline.value ? me.trial.pushPublicKey : null
  useEffect(() => {
    if (publicKey) void import('./push').then(({ renew }) => renew(publicKey)).catch(() => undefined)
  }, [publicKey])
}

export function Shell() {
  const { t } = useTranslator()
  const copy = useCopy<Me>('/participants/me')
  const isForm = route.value.startsWith('stages/')
  useUnread()
  useOutbox()
  useNotifications(copy.value)
  useOfflinePages(copy.value)
  return (
    <StudyProvider value={{ me: copy.value, refresh: copy.refresh }}>
      <a class="skip" href="#page">
        {t('site.skip')}
      </a>
      <header class="app-top">
        <a class="brand" href="/app/">
          <Mark />
          {copy.value ? <StudyText text={copy.value.trial.name} /> : 'Trialbox'}
        </a>
        {isForm && (
          <a class="leave" href="/app/">
            <Icon name="close" />
            {t('form.toStart')}
          </a>
        )}
      </header>
      <Menu unread={unread.value + unreadNotices.value.length} isAside={isForm} />
      <div class="app-body">
        <Status />
        <main id="page" key={route.value}>
          <Boundary note={t('app.notShownNote')} fallback={<ToStart />}>
            <Content path={route.value} />
          </Boundary>
        </main>
      </div>
      {!isTablet && <SessionEnded />}
      <UrgentNotice />
      <Toasts />
    </StudyProvider>
  )
}

function Content({ path }: { path: string }) {
  const [first = '', second, ...rest] = path.split('/')
  if (second !== undefined && rest.length === 0) {
    if (first === 'stages') return <Form occurrence={second} />
    if (first === 'connections') return <Connections service={second} />
  }
  if (second !== undefined) return <NotFound />
  switch (first) {
    case '':
    // A person who is signed in has no use for it.
    case 'sign-in':
      return <Home />
    case 'messages':
      return <Messages />
    case 'calendar':
      return <Calendar />
    case 'more':
      return <More />
    case 'resources':
      return <Resources />
    case 'you':
      return <You />
    case 'food':
      return <Food />
    case 'connections':
      return <Connections />
    case 'rewards':
      return <Rewards />
    case 'waiting':
      return <Waiting />
    default:
      return <NotFound />
  }
}

function NotFound() {
  const { t } = useTranslator()
  return (
    <Frame title={t('app.notFound')}>
      <EmptyState icon="inbox" title={t('app.notFoundNote')}>
        <ToStart />
      </EmptyState>
    </Frame>
  )
}

function ToStart() {
  const { t } = useTranslator()
  return (
    <a class="button" href="/app/">
      {t('app.toStart')}
    </a>
  )
}
