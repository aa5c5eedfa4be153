/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-country.h"

#include <libintl.h>
#include <locale.h>
#include <string.h>

/* Countries with a store at Apple, whose charts can be shown: code and name of ISO
 * 3166-1. The translations of the names are those of the package iso-codes; without it they
 * stay English. */
static const char *const countries[] = {
  "ae United Arab Emirates", "ag Antigua and Barbuda", "ai Anguilla", "al Albania", "am Armenia",
  "ao Angola", "ar Argentina", "at Austria", "au Australia", "az Azerbaijan",
  "ba Bosnia and Herzegovina", "bb Barbados", "be Belgium", "bf Burkina Faso", "bg Bulgaria",
  "bh Bahrain", "bj Benin", "bm Bermuda", "bn Brunei Darussalam", "bo Bolivia", "br Brazil",
  "bs Bahamas", "bt Bhutan", "bw Botswana", "by Belarus", "bz Belize", "ca Canada",
  "cd Congo, The Democratic Republic of the", "cg Congo", "ch Switzerland", "ci Côte d'Ivoire",
  "cl Chile", "cm Cameroon", "cn China", "co Colombia", "cr Costa Rica", "cv Cabo Verde",
  "cy Cyprus", "cz Czechia", "de Germany", "dk Denmark", "dm Dominica", "do Dominican Republic",
  "dz Algeria", "ec Ecuador", "ee Estonia", "eg Egypt", "es Spain", "fi Finland", "fj Fiji",
  "fm Micronesia, Federated States of", "fr France", "ga Gabon", "gb United Kingdom", "gd Grenada",
  "ge Georgia", "gh Ghana", "gm Gambia", "gr Greece", "gt Guatemala", "gw Guinea-Bissau",
  "gy Guyana", "hk Hong Kong", "hn Honduras", "hr Croatia", "hu Hungary", "id Indonesia",
  "ie Ireland", "il Israel", "in India", "iq Iraq", "is Iceland", "it Italy", "jm Jamaica",
  "jo Jordan", "jp Japan", "ke Kenya", "kg Kyrgyzstan", "kh Cambodia", "kn Saint Kitts and Nevis",
  "kr South Korea", "kw Kuwait", "ky Cayman Islands", "kz Kazakhstan", "la Laos", "lb Lebanon",
  "lc Saint Lucia", "lk Sri Lanka", "lr Liberia", "lt Lithuania", "lu Luxembourg", "lv Latvia",
  "ly Libya", "ma Morocco", "md Moldova", "me Montenegro", "mg Madagascar", "mk North Macedonia",
  "ml Mali", "mm Myanmar", "mn Mongolia", "mo Macao", "mr Mauritania", "ms Montserrat", "mt Malta",
  "mu Mauritius", "mv Maldives", "mw Malawi", "mx Mexico", "my Malaysia", "mz Mozambique",
  "na Namibia", "ne Niger", "ng Nigeria", "ni Nicaragua", "nl Netherlands", "no Norway", "np Nepal",
  "nr Nauru", "nz New Zealand", "om Oman", "pa Panama", "pe Peru", "pg Papua New Guinea",
  "ph Philippines", "pk Pakistan", "pl Poland", "pt Portugal", "pw Palau", "py Paraguay",
  "qa Qatar", "ro Romania", "rs Serbia", "rw Rwanda", "sa Saudi Arabia", "sb Solomon Islands",
  "sc Seychelles", "se Sweden", "sg Singapore", "si Slovenia", "sk Slovakia", "sl Sierra Leone",
  "sn Senegal", "sr Suriname", "st Sao Tome and Principe", "sv El Salvador", "sz Eswatini",
  "tc Turks and Caicos Islands", "td Chad", "th Thailand", "tj Tajikistan", "tm Turkmenistan",
  "tn Tunisia", "to Tonga", "tr Türkiye", "tt Trinidad and Tobago", "tw Taiwan", "tz Tanzania",
  "ua Ukraine", "ug Uganda", "us United States", "uy Uruguay", "uz Uzbekistan",
  "vc Saint Vincent and the Grenadines", "ve Venezuela", "vg Virgin Islands, British", "vn Vietnam",
  "vu Vanuatu", "ye Yemen", "za South Africa", "zm Zambia", "zw Zimbabwe",
};

#define DOMAIN "iso_3166-1"

/* Returns: (nullable): the entry with this code */
static const char *
find (const char *code)
{
  for (gsize i = 0; i < G_N_ELEMENTS (countries); i++)
    if (strlen (code) == 2 && g_ascii_strncasecmp (countries[i], code, 2) == 0)
      return countries[i];

  return NULL;
}

/* The territory of a locale: DE of de_DE.UTF-8@euro */
static const char *
find_in_locale (const char *locale)
{
  const char *territory = locale != NULL ? strchr (locale, '_') : NULL;
  g_autofree char *code =
      territory != NULL ? g_strndup (territory + 1, strcspn (territory + 1, ".@")) : NULL;

  return code != NULL ? find (code) : NULL;
}

/* The country of formats for dates (LC_TIME, "Formats" in the settings of GNOME) comes
 * before that of the language (LC_MESSAGES): people who read English live anywhere.
 * @chosen: (nullable): the code of the country that the listener chose, or ""
 * Returns: the code of the chosen country, else that of the locale, else "us" */
const char *
ear_country_find (const char *chosen)
{
  const char *country = chosen != NULL ? find (chosen) : NULL;
  g_autofree char *code = NULL;

  if (country == NULL)
    country = find_in_locale (setlocale (LC_TIME, NULL));
  if (country == NULL)
    country = find_in_locale (setlocale (LC_MESSAGES, NULL));
  code = g_strndup (country != NULL ? country : "us", 2);

  return g_intern_string (code);
}

const char *
ear_country_get_name (const char *code)
{
  const char *country = find (code);

  bind_textdomain_codeset (DOMAIN, "UTF-8");

  return country != NULL ? dgettext (DOMAIN, country + strlen ("us ")) : code;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_utf8_collate (ear_country_get_name (*(const char *const *) a),
                         ear_country_get_name (*(const char *const *) b));
}

/* Returns: (transfer full) (element-type utf8): the codes of all countries, sorted by
 * name */
GStrv
ear_country_list (void)
{
  GStrv codes = g_new0 (char *, G_N_ELEMENTS (countries) + 1);

  for (gsize i = 0; i < G_N_ELEMENTS (countries); i++)
    codes[i] = g_strndup (countries[i], 2);
  qsort (codes, G_N_ELEMENTS (countries), sizeof *codes, compare_names);

  return codes;
}
