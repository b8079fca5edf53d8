import { textOf } from '#exchange/generation/text/extract'
import { readPlan } from '#exchange/imports/read'
import { wordBomb, pdfBomb, workbookBomb } from './test/exchange/bombs'
import './test/temporary'
import { makeTemporary } from './test/temporary'
makeTemporary()
const [what, a, b] = process.argv.slice(2)
const make: any = { docx: () => wordBomb(Number(a)), pdf: () => pdfBomb(Number(a), Number(b)), xlsx: () => workbookBomb(Number(a), Number(b)), form: () => workbookBomb(Number(a), Number(b)),
 odm: () => new TextEncoder().encode('<ODM><Study><MetaDataVersion>' + '<ItemDef OID="a" Name="b" DataType="text"/>'.repeat(Number(a)) + '</MetaDataVersion></Study></ODM>'),
 deep: () => new TextEncoder().encode('<a>'.repeat(Number(a))), csv: () => new TextEncoder().encode('a,b\n'.repeat(Number(a))) }
const bytes = make[what!]()
const t = performance.now(); const c = process.cpuUsage()
let peak = 0; const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()) }, 10)
let said: string
try { const r = what === 'form' ? readPlan('xlsform', bytes) : what === 'odm' || what === 'deep' ? readPlan('odm', bytes) : await textOf('x', what as any, bytes); said = typeof r === 'string' ? `text ${r.length}` : 'plan' } catch (e) { said = (e as Error).message }
const { user, system } = process.cpuUsage(c)
console.log(what, a, b, 'file', bytes.length, 'wall', (performance.now() - t) | 0, 'cpu', ((user + system) / 1000) | 0, 'rss MB', process.memoryUsage.rss() >> 20, 'max', process.resourceUsage().maxRSS >> 10, said.slice(0, 150))
process.exit(0)
