/** Options of the writers of statistics formats, beside the dataset. */
import type { Instant } from '#kernel/time'

export type StatisticsOptions = {
  /** When the data was read: the file says it as the time of its creation. */
  created: Instant
  /** The program that writes, with its version. */
  product: string
  /** Called with the number of bytes so far, as soon as there are some, and then about every 256 KB. What is there stays as it is. */
  onGrowth?: ((bytes: number) => void) | undefined
}
