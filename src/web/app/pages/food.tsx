/** The food diary: one day at a time, by meals. */
import { useState } from 'preact/hooks'
import { useCopy } from '#web/app/device/copies'
import { refusedWith } from '#web/app/device/refused'
import { askAs } from '#web/app/device/request'
import { useNow } from '#web/app/now'
import { useSpeaker } from '#web/app/speaking'
import { Button, Dialog, EmptyState, Notice } from '#web/ui/components'
import { AddFood } from './addFood'
import { type Eaten, type Meal, meals } from './answers'
import { Glyph } from './glyph'
import { useMeals } from './meals'
import { Page as Frame, Read, Refresh } from './page'
import { useClock } from './study'

const DAY = 86_400_000

/** A day on the calendar, some days later. */
const later = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * DAY).toISOString().slice(0, 10)

export function Page() {
  const { say, day: dayText } = useSpeaker()
  const clock = useClock()
  const today = clock.dayKey(useNow())
  const [day, setDay] = useState(today)
  const copy = useCopy<{ foodDiaryEntries: Eaten[] }>(`/participants/foodDiaryEntries?date=${day}`)
  const [meal, setMeal] = useState<Meal>()
  return (
    <Frame title={say('app.food')} action={<Refresh isLoading={copy.isLoading} onPress={() => void copy.refresh()} />}>
      <div class="day-switch">
        <button type="button" class="round" aria-label={say('food.before')} onClick={() => setDay(later(day, -1))}>
          <span class="turned">
            <Glyph name="next" isMirrored />
          </span>
        </button>
        <p aria-live="polite">
          <strong>{day === today ? say('app.today') : dayText(day)}</strong>
        </p>
        <button
          type="button"
          class="round"
          aria-label={say('food.after')}
          disabled={day >= today}
          onClick={() => setDay(later(day, 1))}
        >
          <Glyph name="next" isMirrored />
        </button>
      </div>
      <Read copy={copy} key={day}>
        {({ foodDiaryEntries }) => <Meals entries={foodDiaryEntries} onAdd={setMeal} onChange={copy.refresh} />}
      </Read>
      {meal && (
        <AddFood
          meal={meal}
          day={day}
          onClose={(isAdded) => {
            setMeal(undefined)
            if (isAdded) void copy.refresh()
          }}
        />
      )}
    </Frame>
  )
}

type MealsProps = { entries: readonly Eaten[]; onAdd: (meal: Meal) => void; onChange: () => Promise<void> }

function Meals({ entries, onAdd, onChange }: MealsProps) {
  const { say } = useSpeaker()
  const names = useMeals()
  return (
    <>
      {entries.length === 0 && <EmptyState icon="inbox" title={say('food.none')} note={say('food.noneNote')} />}
      {meals.map((meal) => (
        <section key={meal} class="card meal" aria-label={names[meal]}>
          <div class="meal-head">
            <h2>{names[meal]}</h2>
            <Button label={say('food.addTo', { meal: names[meal] })} onPress={() => onAdd(meal)}>
              {say('food.add')}
            </Button>
          </div>
          <ul class="lines flat">
            {entries
              .filter((each) => each.meal === meal)
              .map((each) => (
                <One key={each._id} eaten={each} onChange={onChange} />
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function One({ eaten, onChange }: { eaten: Eaten; onChange: () => Promise<void> }) {
  const { say, language } = useSpeaker()
  const [isRemoving, setRemoving] = useState(false)
  const [fault, setFault] = useState<string>()
  const { food, grams, portion, quantity, createdByType } = eaten
  const remove = async () => {
    const answer = await askAs('DELETE', `/participants/foodDiaryEntries/${eaten._id}`)
    if (!answer.isDone) return setFault(refusedWith(answer))
    setRemoving(false)
    await onChange()
  }
  const weight = new Intl.NumberFormat(language, { style: 'unit', unit: 'gram', maximumFractionDigits: 1 }).format(
    grams,
  )
  const amount = portion.description
    ? `${new Intl.NumberFormat(language).format(quantity)} × ${portion.description}`
    : ''
  return (
    <li>
      <div>
        <span class="row-text">
          <span class="row-title">
            <bdi>{food.name}</bdi>
          </span>
          <span class="note dotted">
            {[food.brand, amount, weight].filter(Boolean).map((each) => (
              <span key={each}>
                <bdi>{each}</bdi>
              </span>
            ))}
          </span>
        </span>
        {createdByType === 'participant' && (
          <button type="button" class="plain" onClick={() => setRemoving(true)}>
            {say('food.remove')}
            <span class="hidden"> {food.name}</span>
          </button>
        )}
      </div>
      {isRemoving && (
        <Dialog
          title={say('food.removeTitle', { food: food.name })}
          action={{ label: say('food.remove'), kind: 'danger', onPress: () => void remove() }}
          onClose={() => setRemoving(false)}
        >
          {fault ? <Notice kind="fault" title={fault} isLive /> : <p>{say('food.removeNote')}</p>}
        </Dialog>
      )}
    </li>
  )
}
