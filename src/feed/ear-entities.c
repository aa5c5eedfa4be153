/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-entities.h"

#include <string.h>

typedef struct
{
  const char *name;
  gunichar character;
} Entity;

/* The named characters of HTML 4 and `apos`, sorted by name. */
static const Entity entities[] = {
  { "AElig", 198 }, { "Aacute", 193 }, { "Acirc", 194 }, { "Agrave", 192 }, { "Alpha", 913 }, { "Aring", 197 },
  { "Atilde", 195 }, { "Auml", 196 }, { "Beta", 914 }, { "Ccedil", 199 }, { "Chi", 935 }, { "Dagger", 8225 },
  { "Delta", 916 }, { "ETH", 208 }, { "Eacute", 201 }, { "Ecirc", 202 }, { "Egrave", 200 }, { "Epsilon", 917 },
  { "Eta", 919 }, { "Euml", 203 }, { "Gamma", 915 }, { "Iacute", 205 }, { "Icirc", 206 }, { "Igrave", 204 },
  { "Iota", 921 }, { "Iuml", 207 }, { "Kappa", 922 }, { "Lambda", 923 }, { "Mu", 924 }, { "Ntilde", 209 },
  { "Nu", 925 }, { "OElig", 338 }, { "Oacute", 211 }, { "Ocirc", 212 }, { "Ograve", 210 }, { "Omega", 937 },
  { "Omicron", 927 }, { "Oslash", 216 }, { "Otilde", 213 }, { "Ouml", 214 }, { "Phi", 934 }, { "Pi", 928 },
  { "Prime", 8243 }, { "Psi", 936 }, { "Rho", 929 }, { "Scaron", 352 }, { "Sigma", 931 }, { "THORN", 222 },
  { "Tau", 932 }, { "Theta", 920 }, { "Uacute", 218 }, { "Ucirc", 219 }, { "Ugrave", 217 }, { "Upsilon", 933 },
  { "Uuml", 220 }, { "Xi", 926 }, { "Yacute", 221 }, { "Yuml", 376 }, { "Zeta", 918 }, { "aacute", 225 },
  { "acirc", 226 }, { "acute", 180 }, { "aelig", 230 }, { "agrave", 224 }, { "alefsym", 8501 }, { "alpha", 945 },
  { "amp", 38 }, { "and", 8743 }, { "ang", 8736 }, { "apos", 39 }, { "aring", 229 }, { "asymp", 8776 },
  { "atilde", 227 }, { "auml", 228 }, { "bdquo", 8222 }, { "beta", 946 }, { "brvbar", 166 }, { "bull", 8226 },
  { "cap", 8745 }, { "ccedil", 231 }, { "cedil", 184 }, { "cent", 162 }, { "chi", 967 }, { "circ", 710 },
  { "clubs", 9827 }, { "cong", 8773 }, { "copy", 169 }, { "crarr", 8629 }, { "cup", 8746 }, { "curren", 164 },
  { "dArr", 8659 }, { "dagger", 8224 }, { "darr", 8595 }, { "deg", 176 }, { "delta", 948 }, { "diams", 9830 },
  { "divide", 247 }, { "eacute", 233 }, { "ecirc", 234 }, { "egrave", 232 }, { "empty", 8709 }, { "emsp", 8195 },
  { "ensp", 8194 }, { "epsilon", 949 }, { "equiv", 8801 }, { "eta", 951 }, { "eth", 240 }, { "euml", 235 },
  { "euro", 8364 }, { "exist", 8707 }, { "fnof", 402 }, { "forall", 8704 }, { "frac12", 189 }, { "frac14", 188 },
  { "frac34", 190 }, { "frasl", 8260 }, { "gamma", 947 }, { "ge", 8805 }, { "gt", 62 }, { "hArr", 8660 },
  { "harr", 8596 }, { "hearts", 9829 }, { "hellip", 8230 }, { "iacute", 237 }, { "icirc", 238 }, { "iexcl", 161 },
  { "igrave", 236 }, { "image", 8465 }, { "infin", 8734 }, { "int", 8747 }, { "iota", 953 }, { "iquest", 191 },
  { "isin", 8712 }, { "iuml", 239 }, { "kappa", 954 }, { "lArr", 8656 }, { "lambda", 955 }, { "lang", 9001 },
  { "laquo", 171 }, { "larr", 8592 }, { "lceil", 8968 }, { "ldquo", 8220 }, { "le", 8804 }, { "lfloor", 8970 },
  { "lowast", 8727 }, { "loz", 9674 }, { "lrm", 8206 }, { "lsaquo", 8249 }, { "lsquo", 8216 }, { "lt", 60 },
  { "macr", 175 }, { "mdash", 8212 }, { "micro", 181 }, { "middot", 183 }, { "minus", 8722 }, { "mu", 956 },
  { "nabla", 8711 }, { "nbsp", 160 }, { "ndash", 8211 }, { "ne", 8800 }, { "ni", 8715 }, { "not", 172 },
  { "notin", 8713 }, { "nsub", 8836 }, { "ntilde", 241 }, { "nu", 957 }, { "oacute", 243 }, { "ocirc", 244 },
  { "oelig", 339 }, { "ograve", 242 }, { "oline", 8254 }, { "omega", 969 }, { "omicron", 959 }, { "oplus", 8853 },
  { "or", 8744 }, { "ordf", 170 }, { "ordm", 186 }, { "oslash", 248 }, { "otilde", 245 }, { "otimes", 8855 },
  { "ouml", 246 }, { "para", 182 }, { "part", 8706 }, { "permil", 8240 }, { "perp", 8869 }, { "phi", 966 },
  { "pi", 960 }, { "piv", 982 }, { "plusmn", 177 }, { "pound", 163 }, { "prime", 8242 }, { "prod", 8719 },
  { "prop", 8733 }, { "psi", 968 }, { "quot", 34 }, { "rArr", 8658 }, { "radic", 8730 }, { "rang", 9002 },
  { "raquo", 187 }, { "rarr", 8594 }, { "rceil", 8969 }, { "rdquo", 8221 }, { "real", 8476 }, { "reg", 174 },
  { "rfloor", 8971 }, { "rho", 961 }, { "rlm", 8207 }, { "rsaquo", 8250 }, { "rsquo", 8217 }, { "sbquo", 8218 },
  { "scaron", 353 }, { "sdot", 8901 }, { "sect", 167 }, { "shy", 173 }, { "sigma", 963 }, { "sigmaf", 962 },
  { "sim", 8764 }, { "spades", 9824 }, { "sub", 8834 }, { "sube", 8838 }, { "sum", 8721 }, { "sup", 8835 },
  { "sup1", 185 }, { "sup2", 178 }, { "sup3", 179 }, { "supe", 8839 }, { "szlig", 223 }, { "tau", 964 },
  { "there4", 8756 }, { "theta", 952 }, { "thetasym", 977 }, { "thinsp", 8201 }, { "thorn", 254 }, { "tilde", 732 },
  { "times", 215 }, { "trade", 8482 }, { "uArr", 8657 }, { "uacute", 250 }, { "uarr", 8593 }, { "ucirc", 251 },
  { "ugrave", 249 }, { "uml", 168 }, { "upsih", 978 }, { "upsilon", 965 }, { "uuml", 252 }, { "weierp", 8472 },
  { "xi", 958 }, { "yacute", 253 }, { "yen", 165 }, { "yuml", 255 }, { "zeta", 950 }, { "zwj", 8205 },
  { "zwnj", 8204 },
};

/* What windows-1252 has where Latin-1 has control characters. */
static const guint16 windows_1252[32] = {
  0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0xfffd, 0x017d, 0xfffd,
  0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178,
};

static gunichar
find_name (const char *name, gsize length)
{
  gsize low = 0;
  gsize high = G_N_ELEMENTS (entities);

  while (low < high)
    {
      gsize middle = (low + high) / 2;
      int order = strncmp (entities[middle].name, name, length);

      if (order == 0 && entities[middle].name[length] != '\0')
        order = 1;
      if (order == 0)
        return entities[middle].character;
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }

  return 0;
}

/**
 * ear_entity_windows_1252:
 * @byte: a byte outside ASCII
 *
 * Browsers read numeric references to C1 control characters so, too.
 *
 * Returns: the character it is in windows-1252, or U+FFFD
 */
gunichar
ear_entity_windows_1252 (guint8 byte)
{
  return byte >= 0x80 && byte < 0xa0 ? windows_1252[byte - 0x80] : byte;
}

/* After "&#": digits, or "x" and hexadecimal digits. */
static gunichar
read_number (const char *digits, gsize length)
{
  gboolean hex = length > 1 && (digits[0] == 'x' || digits[0] == 'X');
  guint32 value = 0;

  if (length == 0)
    return 0;
  for (gsize i = hex ? 1 : 0; i < length; i++)
    {
      int digit = hex ? g_ascii_xdigit_value (digits[i]) : g_ascii_digit_value (digits[i]);

      if (digit < 0)
        return 0;
      value = MIN (value * (hex ? 16 : 10) + digit, 0x110000);
    }
  if (value >= 0x80 && value < 0xa0)
    return ear_entity_windows_1252 (value);
  if (value == '\t' || value == '\n' || value == '\r')
    return value;
  if (value < 0x20 || value == 0x7f || value == 0xfeff)
    return EAR_ENTITY_NOTHING;
  if (value >= 0x110000 || (value & 0xfffe) == 0xfffe || (value >= 0xd800 && value < 0xe000))
    return 0xfffd;

  return value;
}

/**
 * ear_entity_lookup:
 * @body: (array length=length): what stands between `&` and `;`
 * @length: how many bytes
 *
 * Returns: the character, %EAR_ENTITY_NOTHING for one that no text may hold, or 0 when
 *   there is no such entity
 */
gunichar
ear_entity_lookup (const char *body, gsize length)
{
  if (length > 1 && body[0] == '#')
    return read_number (body + 1, length - 1);

  return length > 0 ? find_name (body, length) : 0;
}

/**
 * ear_entity_span:
 * @text: (array length=length): text that begins after a `&`
 * @length: how many bytes
 *
 * Returns: how many of them may belong to the body of a reference
 */
gsize
ear_entity_span (const char *text, gsize length)
{
  gsize i = 0;

  while (i < length && i < EAR_ENTITY_LONGEST &&
         (g_ascii_isalnum (text[i]) || (text[i] == '#' && i == 0) || text[i] == '_' || text[i] == '.' || text[i] == '-'))
    i++;

  return i;
}
