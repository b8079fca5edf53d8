import { useEffect, useRef, useState } from 'preact/hooks'

type Faults = Readonly<Record<string, string | undefined>>

/** Faults beside the fields of a form, by name. The first field with one gets the focus; a fault goes when its field changes. */
export function useFaults() {
  const form = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState<Faults>({})
  const [shown, setShown] = useState(0)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')?.focus()
  }, [shown])
  const clear = (name: string) => setFaults((now) => (now[name] === undefined ? now : { ...now, [name]: undefined }))
  return {
    ...{ form, faults, clear },
    setFaults(found: Faults): void {
      setFaults(found)
      if (Object.values(found).some(Boolean)) setShown((times) => times + 1)
    },
    /** For `onInput` of the form. */
    clearOnInput({ target }: Event): void {
      if (target instanceof HTMLInputElement) clear(target.name)
    },
  }
}
