/** What comes, and what was: the first few, and all others by month when they are asked for. */
import { useState } from 'preact/hooks'
import { useTranslator } from '#web/participant/texts'
import type { Item } from './homeRules'
import { FormLine } from './stageCard'
import { useClock } from './study'

/** How many are shown at first, and how many more each time. */
const [FIRST, MORE] = [3, 60]

const timeOf = ({ entry, opens, closes, state }: Item): number | undefined =>
  state === 'coming' ? opens : ((entry.completedAt ? Date.parse(entry.completedAt) : undefined) ?? closes ?? opens)

type Props = { items: readonly Item[]; now: number }

/** Of a form that repeats and has no dates yet, only the first. */
function withoutRepeats(items: readonly Item[]): Item[] {
  const seen = new Set<string>()
  return items.filter(({ entry, opens }) => {
    const [stage = ''] = entry._id.split('::')
    if (opens !== undefined) return true
    return !seen.has(stage) && seen.add(stage)
  })
}

export function ComingForms({ items, now }: Props) {
  const { t, count } = useTranslator()
  if (!items.length) return null
  const coming = withoutRepeats(items)
  const later = coming.slice(FIRST)
  return (
    <section aria-labelledby="coming">
      <h2 id="coming" class="section-title">
        {t('home.coming')}
      </h2>
      <ul class="lines">
        {coming.slice(0, FIRST).map((item) => (
          <FormLine key={item.entry._id} item={item} now={now} />
        ))}
      </ul>
      {later.length > 0 && (
        <FoldedList name="coming" title={count('home.moreComing', later.length)} items={later} now={now} />
      )}
    </section>
  )
}

export function PastForms({ items, now }: Props) {
  const { t, count } = useTranslator()
  if (!items.length) return null
  return (
    <section aria-labelledby="past">
      <h2 id="past" class="section-title">
        {t('home.past')}
      </h2>
      <FoldedList name="past" title={count('home.morePast', items.length)} items={items} now={now} />
    </section>
  )
}

/** How many of each list the person has opened: they find them so when they come back to the page. */
const opened = new Map<string, number>()

/** It is drawn when it is opened, and grows by steps: a diary has hundreds. */
function FoldedList({ name, title, items, now }: Props & { name: string; title: string }) {
  const { t } = useTranslator()
  const [shown, setShown] = useState(opened.get(name) ?? 0)
  const show = (number: number) => {
    opened.set(name, number)
    setShown(number)
  }
  const clock = useClock()
  const visible = items.slice(0, shown)
  const months = Map.groupBy(visible, (item) => {
    const at = timeOf(item)
    return at === undefined ? t('home.noDate') : clock.month(at)
  })
  return (
    <details
      class="fold"
      open={shown > 0}
      onToggle={({ currentTarget }) => show(currentTarget.open ? Math.max(shown, MORE) : 0)}
    >
      <summary>{title}</summary>
      {[...months].map(([month, list]) => (
        <div key={month}>
          <h3 class="month">{month}</h3>
          <ul class="lines">
            {list.map((item) => (
              <FormLine key={item.entry._id} item={item} now={now} />
            ))}
          </ul>
        </div>
      ))}
      {shown < items.length && (
        <button type="button" class="plain" onClick={() => show(shown + MORE)}>
          {t('app.showMore')}
        </button>
      )}
    </details>
  )
}
