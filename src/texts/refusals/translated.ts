/** What a translation of a file of refusals must hold: a sentence for each code of the English file (`src/kernel/refusals`). */

/** The sentences of a file of refusals in another language, by the keys of the English one. */
export type Translated<English extends Readonly<Record<string, string>>> = Readonly<Record<keyof English, string>>
