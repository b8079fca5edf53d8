/** The pages of the app, and the way to them: at the foot of a phone, at the side of a desktop. */
import { route } from '#web/participant/route'
import { useTranslator } from '#web/participant/texts'
import { Glyph, type GlyphName } from './glyph'

type Entry = { path: string; icon: GlyphName; label: string }

const isWithin = (path: string, ...roots: string[]): boolean =>
  roots.some((root) => path === root || (root !== '' && path.startsWith(`${root}/`)))

const MORE = ['more', 'resources', 'food', 'connections', 'rewards', 'waiting', 'you']

type Props = {
  /** How many messages the person has not read. */
  unread: number
  /** A form is filled in: on narrow screens the menu would cover it, and a wrong tap would leave it. */
  isAside: boolean
}

export function Menu({ unread, isAside }: Props) {
  const { t, count } = useTranslator()
  const path = route.value
  const entries: (Entry & { isHere: boolean; number?: number })[] = [
    { path: '', icon: 'today', label: t('app.today'), isHere: path === '' || isWithin(path, 'stages') },
    {
      path: 'messages',
      icon: 'messages',
      label: t('app.messages'),
      isHere: isWithin(path, 'messages'),
      number: unread,
    },
    { path: 'calendar', icon: 'calendar', label: t('app.calendar'), isHere: isWithin(path, 'calendar') },
    { path: 'more', icon: 'more', label: t('app.more'), isHere: isWithin(path, ...MORE) },
  ]
  return (
    <nav class={isAside ? 'menu-bar aside' : 'menu-bar'} aria-label={t('app.menu')}>
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
