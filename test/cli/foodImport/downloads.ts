/** Small downloads of FoodData Central: the columns and rows are those of the real ones. */
import { join } from 'node:path'
import { writeNew } from '#writers/file'
import { zipTo } from '#writers/zip'
import { temporaryFolder } from '../../temporary'

/** A zip archive with these files. */
export async function archive(files: Record<string, string>, name = 'FoodData_Central_csv_2025-04-24.zip') {
  const path = join(temporaryFolder(), name)
  await writeNew(path, async (output) => {
    const zip = zipTo(output)
    for (const [file, text] of Object.entries(files)) {
      const part = zip.part(file)
      await part.write(text)
      await part.end()
    }
    zip.end()
  })
  return path
}

const FOLDER = 'FoodData_Central_csv_2025-04-24'

/** The csv files of the full download. `more` adds rows to them, or replaces a file that begins with its header. */
export function csvFiles(more: Record<string, string> = {}): Record<string, string> {
  const files: Record<string, string> = {
    'food_category.csv': `"id","code","description"
"18","1800","Baked Products"
`,
    'measure_unit.csv': `"id","name"
"1000","cup"
"1043","piece"
"9999","undetermined"
`,
    'nutrient.csv': `"id","name","unit_name","nutrient_nbr","rank"
"1003","Protein","G","203","600.0"
"1004","Total lipid (fat)","G","204","800.0"
"1008","Energy","KCAL","208","300.0"
"1062","Energy","kJ","268","400.0"
"1079","Fiber, total dietary","G","291","1200.0"
`,
    'wweia_food_category.csv': `"wweia_food_category","wweia_food_category_description"
"6004","Bananas"
`,
    'survey_fndds_food.csv': `"fdc_id","food_code","wweia_category_code","start_date","end_date"
"2709225","63107410","6004","2021-01-01","2023-12-31"
`,
    'food.csv': `"fdc_id","data_type","description","food_category_id","publication_date"
"167512","sr_legacy_food","Pillsbury Golden Layer Buttermilk Biscuits, Artificial Flavor, refrigerated dough","18","2019-04-01"
"167516","sr_legacy_food","Waffles, buttermilk, frozen, ready-to-heat","18","2019-04-01"
"2709225","survey_fndds_food","Banana, raw","","2024-10-31"
"1111111","branded_food","CHOCOLATE SANDWICH COOKIES, CHOCOLATE","Cookies & Biscuits","2019-04-01"
"2222222","branded_food","CHOCOLATE SANDWICH COOKIES, CHOCOLATE","Cookies & Biscuits","2023-10-26"
"319874","sample_food","HUMMUS, SABRA CLASSIC","16","2019-04-01"
"319875","market_acquistion","HUMMUS, SABRA CLASSIC","16","2019-04-01"
`,
    'branded_food.csv': `"fdc_id","brand_owner","brand_name","subbrand_name","gtin_upc","ingredients","not_a_significant_source_of","serving_size","serving_size_unit","household_serving_fulltext","branded_food_category","data_source","package_weight","modified_date","available_date","market_country","discontinued_date","preparation_state_code","trade_channel","short_description","material_code"
"1111111","Nabisco Biscuit Company","OREO","","044000032029","SUGAR","","34.0","g","3 cookies","Cookies & Biscuits","LI","","2019-09-01","2019-09-01","United States","","","","",""
"2222222","Nabisco Biscuit Company","OREO","","044000032029","UNBLEACHED ENRICHED FLOUR (WHEAT FLOUR, NIACIN), SUGAR","","34.0","g","3 cookies","Cookies & Biscuits","LI","","2023-09-01","2023-09-01","United States","","","","",""
`,
    'food_portion.csv': `"id","fdc_id","seq_num","amount","measure_unit_id","portion_description","modifier","gram_weight","data_points","footnote","min_year_acquired"
"81549","167512","1","1","9999","","serving","34","","",""
"81553","167516","1","1","9999","","waffle, square","39","10","",""
"306106","2709225","1","","9999","1 banana","60919","126","","",""
"306108","2709225","3","","9999","Quantity not specified","90000","140","","",""
`,
    'food_nutrient.csv': `"id","fdc_id","nutrient_id","amount","data_points","derivation_id","min","max","median","loq","footnote","min_year_acquired","percent_daily_value"
"1283674","167512","1003","5.88","1","46","","","","","","",""
"1283675","167512","1007","3.5","1","46","","","","","","",""
"1283676","167512","1062","1286","0","49","","","","","","",""
"1283677","167512","1079","1.2","1","46","","","","","","",""
"1283690","167516","1008","273","","","","","","","","",""
"5","2709225","208","97","","","","","","","","",""
"6","2709225","203","0.74","","","","","","","","",""
"7","1111111","1008","471","","70","","","","","","",""
"8","2222222","1008","468","","70","","","","","","",""
"9","2222222","1004","20.6","","70","","","","","","",""
"10","319874","1008","229","","","","","","","","",""
`,
  }
  for (const [name, text] of Object.entries(more))
    files[name] = files[name] && !text.startsWith('"id"') ? files[name] + text : text
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${FOLDER}/${name}`, text]))
}

/** Two of the JSON downloads, as they are written. */
export const jsonFiles: Record<string, string> = {
  'surveyDownload.json': `{"SurveyFoods": [
{"foodClass":"Survey","description":"Banana, raw","foodNutrients":[{"type":"FoodNutrient","id":1,"nutrient":{"id":1008,"number":"208","name":"Energy","rank":300,"unitName":"kcal"},"amount":97},{"type":"FoodNutrient","nutrient":{"id":2045,"name":"Proximates"}}],
"foodCode":"63107410","startDate":"1/1/2021","endDate":"12/31/2023","wweiaFoodCategory":{"wweiaFoodCategoryDescription":"Bananas","wweiaFoodCategoryCode":3305998},"fdcId":2709225,"dataType":"Survey (FNDDS)",
"foodPortions":[{"id":306108,"measureUnit":{"id":9999,"name":"undetermined","abbreviation":"undetermined"},"modifier":"90000","gramWeight":140,"portionDescription":"Quantity not specified","sequenceNumber":3},{"id":306106,"measureUnit":{"id":9999,"name":"undetermined","abbreviation":"undetermined"},"modifier":"60919","gramWeight":126,"portionDescription":"1 banana","sequenceNumber":1}],"publicationDate":"10/31/2024"}
]}`,
  'brandedDownload.json': `{"BrandedFoods": [
{"foodClass":"Branded","description":"CHEESE \\"MILD\\" {aged}","foodNutrients":[{"type":"FoodNutrient","id":3102264,"nutrient":{"id":1079,"number":"291","name":"Fiber, total dietary","rank":1200,"unitName":"g"},"amount":0E-8},{"type":"FoodNutrient","id":3102265,"nutrient":{"id":1087,"number":"301","name":"Calcium, Ca","rank":5300,"unitName":"mg"},"amount":536.00000000}],"brandOwner":"Lucerne","gtinUpc":"021130073795","servingSize":28,"servingSizeUnit":"g","householdServingFullText":"1 ONZ","brandedFoodCategory":"Cheese","dataType":"Branded","fdcId":453744,"publicationDate":"4/1/2019"},
{"foodClass":"Branded","description":"SPRING WATER","foodNutrients":[],"brandOwner":"Lucerne","dataType":"Branded","fdcId":453745,"publicationDate":"4/1/2019"},
{"foodClass":"Branded","description":"","foodNutrients":[],"dataType":"Branded","fdcId":453746}
]}`,
}
