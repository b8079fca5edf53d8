/** The food diary: one day at a time, by meals. */

import { useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { useNow } from '#web/kit/page/useNow'
import { Button, Dialog, EmptyState, Notice } from '#web/kit/ui/components'
import { useCopy } from '#web/participant/device/copies'
import { refusalText } from '#web/participant/device/refusalText'
import { askAs } from '#web/participant/device/request'
import { useTranslator } from '#web/participant/texts'
import { AddFood } from './addFood'
import { type FoodEntry, type Meal, meals } from './apiTypes'
import { Glyph } from './glyph'
import { useMeals } from './meals'
import { CopyContent, Page as Frame, RefreshButton } from './page'
import { useClock } from './study'

const DAY = 86_400_000

/** A day on the calendar, some days later. */
const later = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * DAY).toISOString().slice(0, 10)

export function Page() {
  const { t, day: dayText } = useTranslator()
  const clock = useClock()
  const today = clock.dayKey(useNow())
  const [day, setDay] = useState(today)
  const copy = useCopy<AnswerOf<'listOwnFoodDiaryEntries'>>(`/participants/foodDiaryEntries?date=${day}`)
  const [meal, setMeal] = useState<Meal>()
  return (
    <Frame
      title={t('app.food')}
      action={<RefreshButton isLoading={copy.isLoading} onPress={() => void copy.refresh()} />}
    >
      <div class="day-switch">
        <button type="button" class="round" aria-label={t('food.before')} onClick={() => setDay(later(day, -1))}>
          <span class="turned">
            <Glyph name="next" isMirrored />
          </span>
        </button>
        <p aria-live="polite">
          <strong>{day === today ? t('app.today') : dayText(day)}</strong>
        </p>
        <button
          type="button"
          class="round"
          aria-label={t('food.after')}
          disabled={day >= today}
          onClick={() => setDay(later(day, 1))}
        >
          <Glyph name="next" isMirrored />
        </button>
      </div>
      <CopyContent copy={copy} key={day}>
        {({ foodDiaryEntries }) => <Meals entries={foodDiaryEntries} onAdd={setMeal} onChange={copy.refresh} />}
      </CopyContent>
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

type MealsProps = { entries: readonly FoodEntry[]; onAdd: (meal: Meal) => void; onChange: () => Promise<void> }

function Meals({ entries, onAdd, onChange }: MealsProps) {
  const { t } = useTranslator()
  const names = useMeals()
  return (
    <>
      {entries.length === 0 && <EmptyState icon="inbox" title={t('food.none')} note={t('food.noneNote')} />}
      {meals.map((meal) => (
        <section key={meal} class="card meal" aria-label={names[meal]}>
          <div class="meal-head">
            <h2>{names[meal]}</h2>
            <Button label={t('food.addTo', { meal: names[meal] })} onPress={() => onAdd(meal)}>
              {t('food.add')}
            </Button>
          </div>
          <ul class="lines flat">
            {entries
              .filter((each) => each.meal === meal)
              .map((each) => (
                <FoodRow key={each._id} foodEntry={each} onChange={onChange} />
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function FoodRow({ foodEntry, onChange }: { foodEntry: FoodEntry; onChange: () => Promise<void> }) {
  const { t, language } = useTranslator()
  const [isRemoving, setRemoving] = useState(false)
  const [fault, setFault] = useState<string>()
  const { food, grams, portion, quantity, createdByType } = foodEntry
  const remove = async () => {
    const answer = await askAs('DELETE', `/participants/foodDiaryEntries/${foodEntry._id}`)
    if (!answer.isDone) return setFault(refusalText(answer))
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
            {t('food.remove')}
            <span class="hidden"> {food.name}</span>
          </button>
        )}
      </div>
      {isRemoving && (
        <Dialog
          title={t('food.removeTitle', { food: food.name })}
          action={{ label: t('food.remove'), kind: 'danger', onPress: () => void remove() }}
          onClose={() => setRemoving(false)}
        >
          {fault ? <Notice kind="fault" title={fault} isLive /> : <p>{t('food.removeNote')}</p>}
        </Dialog>
      )}
    </li>
  )
}
