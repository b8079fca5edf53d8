/** Finds a food and notes how much of it was eaten. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { newId } from '#web/kit/storage/ids'
import { Button, Field, Notice, Select, useForm } from '#web/kit/ui/components'
import { refusalText, withRefusalText } from '#web/participant/device/refusalText'
import { askAs } from '#web/participant/device/request'
import { person } from '#web/participant/device/session'
import { useTranslator } from '#web/participant/texts'
import type { Food, Meal, Portion } from './apiTypes'
import { useMeals } from './meals'

type Props = { meal: Meal; day: string; onClose: (isAdded: boolean) => void }

/** How long after a key the search begins, in milliseconds. */
const PAUSE = 300

export function AddFood({ meal, day, onClose }: Props) {
  const { t } = useTranslator()
  const names = useMeals()
  const dialog = useRef<HTMLDialogElement>(null)
  const isAdded = useRef(false)
  const [food, setFood] = useState<Food>()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const done = () => {
    isAdded.current = true
    dialog.current?.close()
  }
  return (
    <dialog ref={dialog} class="dialog tall" aria-labelledby="add-food" onClose={() => onClose(isAdded.current)}>
      <h2 id="add-food">{t('food.addTo', { meal: names[meal] })}</h2>
      {food ? (
        <Amount food={food} meal={meal} day={day} onDone={done} onBack={() => setFood(undefined)} />
      ) : (
        <Search onChoose={setFood} />
      )}
      <div class="actions">
        <Button onPress={() => dialog.current?.close()}>{t('dialog.cancel')}</Button>
      </div>
    </dialog>
  )
}

function Search({ onChoose }: { onChoose: (food: Food) => void }) {
  const { t } = useTranslator()
  const [words, setWords] = useState('')
  const [searchResult, setFound] = useState<{ foods: readonly Food[]; fault?: string }>()
  useEffect(() => {
    const text = words.trim()
    if (!text) return setFound(undefined)
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      const query = new URLSearchParams({ q: text, limit: '25' })
      const path = `/trials/${person.value?.trial}/food-search?${query}`
      const answer = await askAs<AnswerOf<'searchFoods'>>('GET', path, { signal: abort.signal })
      if (abort.signal.aborted) return
      setFound(answer.isDone ? answer.body : { foods: [], fault: refusalText(answer) })
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [words])
  return (
    <>
      <div class="field">
        <label for="food-words">{t('food.search')}</label>
        <input
          id="food-words"
          class="input"
          type="search"
          maxLength={200}
          autocomplete="off"
          dir="auto"
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
      </div>
      <div role="status">
        {searchResult?.fault && <p class="fault">{searchResult.fault}</p>}
        {searchResult && !searchResult.fault && searchResult.foods.length === 0 && <p>{t('food.notFound')}</p>}
      </div>
      <ul class="lines flat found">
        {searchResult?.foods.map((food) => (
          <li key={food.foodId}>
            <button type="button" onClick={() => onChoose(food)}>
              <span class="row-text">
                <span class="row-title">
                  <bdi>{food.name}</bdi>
                </span>
                {food.brand && (
                  <span class="note">
                    <bdi>{food.brand}</bdi>
                  </span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

const GRAM: Portion = { size: 1, unit: 'grams' }

type AmountProps = { food: Food; meal: Meal; day: string; onDone: () => void; onBack: () => void }

function Amount({ food, meal, day, onDone, onBack }: AmountProps) {
  const { t, language } = useTranslator()
  const id = useRef(newId())
  const portions = [...food.portions, GRAM]
  const grams = new Intl.NumberFormat(language, { style: 'unit', unit: 'gram', maximumFractionDigits: 1 })
  const { submit, isBusy, faults } = useForm(async ({ portion = '0', quantity = '1' }) => {
    const body = {
      date: day,
      meal,
      foodId: food.foodId,
      portion: portions[Number(portion)] ?? GRAM,
      quantity: Number(quantity.replace(',', '.')),
    }
    const answer = await askAs('POST', '/participants/foodDiaryEntries', { body, idempotencyKey: id.current })
    if (answer.isDone) onDone()
    else if (answer.status !== 0) id.current = newId()
    return withRefusalText(answer)
  })
  return (
    <form onSubmit={submit} id="amount">
      <p>
        <bdi class="strong">{food.name}</bdi>{' '}
        <button type="button" class="plain" onClick={onBack}>
          {t('food.another')}
        </button>
      </p>
      <Field
        label={t('food.quantity')}
        name="quantity"
        initial="1"
        inputMode="decimal"
        maxLength={8}
        fault={faults.fields.quantity}
        autoComplete="off"
      />
      <Select
        label={t('food.portion')}
        name="portion"
        initial={['0']}
        options={portions.map(({ size, description }, at) => ({
          value: `${at}`,
          label: description ? `${description} (${grams.format(size)})` : grams.format(size),
        }))}
        fault={faults.fields.portion}
      />
      {faults.message && <Notice kind="fault" title={faults.message} isLive />}
      <Button kind="main" type="submit" isBusy={isBusy}>
        {t('food.note')}
      </Button>
    </form>
  )
}
