/** The frame of the app for a person who is signed in: header, menu, the state of the connection, and the page. */
import { useEffect } from 'preact/hooks'
import { EmptyState, Toasts } from '#web/ui/components'
import { useCopy } from '../device/copies'
import { isOnline } from '../device/session'
import { route } from '../route'
import { useSpeaker } from '../speaking'
import type { Me, Thread } from './answers'
import { Mark } from './front'
import { Home } from './home'
import { lazily } from './lazily'
import { Menu } from './menu'
import { Page as More } from './more'
import { Page as Frame } from './page'
import { SessionEnded } from './sessionEnded'
import { Status } from './status'
import { StudyProvider } from './study'
import { Page as Waiting } from './waiting'

const Messages = lazily(() => import('./messages'))
const Calendar = lazily(() => import('./calendar'))
const Resources = lazily(() => import('./resources'))
const You = lazily(() => import('./you'))
const Food = lazily(() => import('./food'))
const Connections = lazily(() => import('./connections'))
const Rewards = lazily(() => import('./rewards'))
const Form = lazily(() => import('./form'))

/** How often the number of unread messages is read while the app is shown, in milliseconds. */
const LOOKED_EVERY = 60_000

function useUnread(): number {
  const { value, refresh } = useCopy<Thread>('/participants/messages?limit=1')
  const path = route.value
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible' && isOnline.value) void refresh()
    }
    look()
    const timer = setInterval(look, LOOKED_EVERY)
    return () => clearInterval(timer)
  }, [path])
  return value?.unreadCount ?? 0
}

export function Shell() {
  const { say } = useSpeaker()
  const copy = useCopy<Me>('/participants/me')
  const unread = useUnread()
  return (
    <StudyProvider value={{ me: copy.value, refresh: copy.refresh }}>
      <a class="skip" href="#page">
        {say('site.skip')}
      </a>
      <header class="app-top">
        <a class="brand" href="/app/">
          <Mark />
          <bdi>{copy.value?.trial.name ?? 'Trialbox'}</bdi>
        </a>
      </header>
      <Menu unread={unread} />
      <div class="app-body">
        <Status />
        <main id="page" key={route.value}>
          <Content path={route.value} />
        </main>
      </div>
      <SessionEnded />
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
  const { say } = useSpeaker()
  return (
    <Frame title={say('app.notFound')}>
      <EmptyState icon="inbox" title={say('app.notFoundNote')}>
        <a class="button" href="/app/">
          {say('app.toStart')}
        </a>
      </EmptyState>
    </Frame>
  )
}
