/** The pages of the app, and the way to them: at the foot of a phone, at the side of a desktop. */
import { route } from '../route'
import { useSpeaker } from '../speaking'
import type { Me } from './answers'
import { Glyph, type GlyphName } from './glyph'

type Entry = { path: string; icon: GlyphName; label: string; note?: string }

/** What a person reaches through "More", by what their study has. */
export function useMoreEntries(me: Me | undefined): Entry[] {
  const { say } = useSpeaker()
  const has = (feature: string) => me?.trial.features[feature] === true
  return [
    { path: 'resources', icon: 'book', label: say('app.resources'), note: say('app.resourcesNote') },
    ...(has('foodDiaries')
      ? [{ path: 'food', icon: 'food' as const, label: say('app.food'), note: say('app.foodNote') }]
      : []),
    ...(has('wearables')
      ? [
          {
            path: 'connections',
            icon: 'watch' as const,
            label: say('app.connections'),
            note: say('app.connectionsNote'),
          },
        ]
      : []),
    ...(has('incentives')
      ? [{ path: 'rewards', icon: 'gift' as const, label: say('app.rewards'), note: say('app.rewardsNote') }]
      : []),
    { path: 'waiting', icon: 'phone', label: say('app.waiting'), note: say('app.waitingNote') },
    { path: 'you', icon: 'person', label: say('app.you'), note: say('app.youNote') },
  ]
}

const isWithin = (path: string, ...roots: string[]): boolean =>
  roots.some((root) => path === root || (root !== '' && path.startsWith(`${root}/`)))

const MORE = ['more', 'resources', 'food', 'connections', 'rewards', 'waiting', 'you']

/** @param unread how many messages the person has not read */
export function Menu({ unread }: { unread: number }) {
  const { say, count } = useSpeaker()
  const path = route.value
  const entries: (Entry & { isHere: boolean; number?: number })[] = [
    { path: '', icon: 'today', label: say('app.today'), isHere: path === '' || isWithin(path, 'stages') },
    {
      path: 'messages',
      icon: 'messages',
      label: say('app.messages'),
      isHere: isWithin(path, 'messages'),
      number: unread,
    },
    { path: 'calendar', icon: 'calendar', label: say('app.calendar'), isHere: isWithin(path, 'calendar') },
    { path: 'more', icon: 'more', label: say('app.more'), isHere: isWithin(path, ...MORE) },
  ]
  return (
    <nav class="menu-bar" aria-label={say('app.menu')}>
      <ul>
        {entries.map(({ path, icon, label, isHere, number }) => (
          <li key={path}>
            <a href={`/app/${path}`} aria-current={isHere ? 'page' : undefined}>
              <span class="menu-icon">
                <Glyph name={icon} />
                {!!number && (
                  <span class="count" aria-hidden="true">
                    {number > 99 ? '99+' : number}
                  </span>
                )}
              </span>
              <span>{label}</span>
              {!!number && <span class="hidden">{count('app.unread', number)}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
