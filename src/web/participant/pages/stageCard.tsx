/** A form on the first page: large if it can be done now, else as a line. */

import { studyText } from '#web/kit/language/studyText'
import { useTranslator } from '#web/participant/texts'
import { Glyph, type GlyphName } from './glyph'
import type { Item, State } from './homeRules'
import { useClock } from './study'

type Tag = { text: string; kind: 'warning' | 'info' | 'success' | 'fault' | 'quiet'; icon?: GlyphName }

const DAY = 86_400_000

/** What is said of a form beside its name. */
function useTags({ state, opens, closes, entry }: Item, now: number): Tag[] {
  const { t } = useTranslator()
  const clock = useClock()
  const tags: Tag[] = []
  const states: Partial<Record<State, Tag>> = {
    late: { text: t('home.late'), kind: 'warning' },
    draft: { text: t('home.draft'), kind: 'info', icon: 'pen' },
    sending: { text: t('home.sending'), kind: 'info', icon: 'send' },
    refused: { text: t('home.refused'), kind: 'fault' },
    held: { text: t('home.held'), kind: 'info' },
    missed: { text: t('home.missed'), kind: 'quiet' },
    done: { text: t('home.doneTag'), kind: 'success', icon: 'done' },
  }
  const known = states[state]
  if (known) tags.push(known)
  if (state === 'coming') {
    tags.push({
      text: opens === undefined ? t('home.later') : t('home.opens', { time: clock.moment(opens) }),
      kind: 'quiet',
    })
  } else if (state === 'done' && entry.completedAt) {
    tags.push({ text: clock.shortDay(entry.completedAt), kind: 'quiet' })
  } else if (state === 'draft' && !entry.adHoc && (entry.expired || (closes ?? Infinity) <= now)) {
    tags.push({ text: t('home.missed'), kind: 'warning', icon: 'clock' })
  } else if (closes !== undefined && closes > now && !['sending', 'held'].includes(state)) {
    const left = closes - now
    const kind = left < DAY ? 'warning' : 'quiet'
    tags.push({ text: t('home.left', { time: clock.length(left) }), kind, icon: 'clock' })
    if (left < 14 * DAY) tags.push({ text: t('home.until', { time: clock.moment(closes) }), kind: 'quiet' })
  } else if (opens !== undefined && ['open', 'late', 'missed'].includes(state) && !entry.adHoc) {
    tags.push({ text: t('home.since', { time: clock.shortDay(opens) }), kind: 'quiet' })
  }
  return tags
}

const Tags = ({ tags }: { tags: readonly Tag[] }) => (
  <span class="tags">
    {tags.map(({ text, kind, icon }) => (
      <span key={text} class={`tag ${kind}`}>
        {icon && <Glyph name={icon} />}
        {text}
      </span>
    ))}
  </span>
)

const pathOf = ({ entry, state }: Item): string =>
  state === 'refused' ? '/app/waiting' : `/app/stages/${encodeURI(entry._id)}`

export function FormCard({ item, now }: { item: Item; now: number }) {
  const { t } = useTranslator()
  const { entry, state } = item
  const verb = { draft: t('home.goOn'), refused: t('app.details') }[state as string] ?? t('home.start')
  return (
    <a class={`card form-card ${state}`} href={pathOf(item)}>
      <span class="form-text">
        <strong {...studyText(entry.name)}>{entry.name}</strong>
        {entry.description && (
          <span class="form-note" {...studyText(entry.description)}>
            {entry.description}
          </span>
        )}
        <Tags tags={useTags(item, now)} />
      </span>
      <span class="button main">
        {verb}
        <Glyph name="next" isMirrored />
      </span>
    </a>
  )
}

/** Forms that are not open yet, or not any more, lead nowhere. */
const isReachable = ({ state, entry }: Item): boolean =>
  !['coming', 'missed', 'sending', 'held'].includes(state) || (entry.adHoc && state !== 'coming')

export function FormLine({ item, now }: { item: Item; now: number }) {
  const content = (
    <>
      <span class="row-text">
        <span class="row-title" {...studyText(item.entry.name)}>
          {item.entry.name}
        </span>
        <Tags tags={useTags(item, now)} />
      </span>
      {isReachable(item) && <Glyph name="next" isMirrored />}
    </>
  )
  return <li>{isReachable(item) ? <a href={pathOf(item)}>{content}</a> : <div>{content}</div>}</li>
}
