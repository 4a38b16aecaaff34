// Made by Config/assets.
#include "CWebAssets.h"

// #embed is part of C23; clang has it in every C from version 19 on.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char asset0[] = {
#embed "../WebAssets/served/client.d.ts.br"
};

static const unsigned char asset1[] = {
#embed "../WebAssets/served/client.d.ts.gz"
};

static const unsigned char asset2[] = {
#embed "../WebAssets/served/client.d.ts"
};

static const unsigned char asset3[] = {
#embed "../WebAssets/served/client.js.br"
};

static const unsigned char asset4[] = {
#embed "../WebAssets/served/client.js.gz"
};

static const unsigned char asset5[] = {
#embed "../WebAssets/served/client.js"
};

static const unsigned char asset6[] = {
#embed "../WebAssets/served/console/chunk.js.br"
};

static const unsigned char asset7[] = {
#embed "../WebAssets/served/console/chunk.js.gz"
};

static const unsigned char asset8[] = {
#embed "../WebAssets/served/console/chunk.js"
};

static const unsigned char asset9[] = {
#embed "../WebAssets/served/console/console.css.br"
};

static const unsigned char asset10[] = {
#embed "../WebAssets/served/console/console.css.gz"
};

static const unsigned char asset11[] = {
#embed "../WebAssets/served/console/console.css"
};

static const unsigned char asset12[] = {
#embed "../WebAssets/served/console/icon.svg.br"
};

static const unsigned char asset13[] = {
#embed "../WebAssets/served/console/icon.svg.gz"
};

static const unsigned char asset14[] = {
#embed "../WebAssets/served/console/icon.svg"
};

static const unsigned char asset15[] = {
#embed "../WebAssets/served/console/index.html.br"
};

static const unsigned char asset16[] = {
#embed "../WebAssets/served/console/index.html.gz"
};

static const unsigned char asset17[] = {
#embed "../WebAssets/served/console/index.html"
};

static const unsigned char asset18[] = {
#embed "../WebAssets/served/console/later.js.br"
};

static const unsigned char asset19[] = {
#embed "../WebAssets/served/console/later.js.gz"
};

static const unsigned char asset20[] = {
#embed "../WebAssets/served/console/later.js"
};

static const unsigned char asset21[] = {
#embed "../WebAssets/served/console/main.js.br"
};

static const unsigned char asset22[] = {
#embed "../WebAssets/served/console/main.js.gz"
};

static const unsigned char asset23[] = {
#embed "../WebAssets/served/console/main.js"
};

static const unsigned char asset24[] = {
#embed "../WebAssets/served/list.d.ts.br"
};

static const unsigned char asset25[] = {
#embed "../WebAssets/served/list.d.ts.gz"
};

static const unsigned char asset26[] = {
#embed "../WebAssets/served/list.d.ts"
};

static const unsigned char asset27[] = {
#embed "../WebAssets/served/list.js.br"
};

static const unsigned char asset28[] = {
#embed "../WebAssets/served/list.js.gz"
};

static const unsigned char asset29[] = {
#embed "../WebAssets/served/list.js"
};

static const unsigned char asset30[] = {
#embed "../WebAssets/served/offline.d.ts.br"
};

static const unsigned char asset31[] = {
#embed "../WebAssets/served/offline.d.ts.gz"
};

static const unsigned char asset32[] = {
#embed "../WebAssets/served/offline.d.ts"
};

static const unsigned char asset33[] = {
#embed "../WebAssets/served/offline.js.br"
};

static const unsigned char asset34[] = {
#embed "../WebAssets/served/offline.js.gz"
};

static const unsigned char asset35[] = {
#embed "../WebAssets/served/offline.js"
};

static const struct callboard_asset assets[] = {
    {"client.d.ts", "br", "5db098dbc5760137", asset0, sizeof asset0},
    {"client.d.ts", "gzip", "5db098dbc5760137", asset1, sizeof asset1},
    {"client.d.ts", "identity", "5db098dbc5760137", asset2, sizeof asset2},
    {"client.js", "br", "10231f68fbffd0f5", asset3, sizeof asset3},
    {"client.js", "gzip", "10231f68fbffd0f5", asset4, sizeof asset4},
    {"client.js", "identity", "10231f68fbffd0f5", asset5, sizeof asset5},
    {"console/chunk.js", "br", "835cc637dcaf7298", asset6, sizeof asset6},
    {"console/chunk.js", "gzip", "835cc637dcaf7298", asset7, sizeof asset7},
    {"console/chunk.js", "identity", "835cc637dcaf7298", asset8, sizeof asset8},
    {"console/console.css", "br", "ebc9b8ba73518204", asset9, sizeof asset9},
    {"console/console.css", "gzip", "ebc9b8ba73518204", asset10, sizeof asset10},
    {"console/console.css", "identity", "ebc9b8ba73518204", asset11, sizeof asset11},
    {"console/icon.svg", "br", "ef9de00ad5a88517", asset12, sizeof asset12},
    {"console/icon.svg", "gzip", "ef9de00ad5a88517", asset13, sizeof asset13},
    {"console/icon.svg", "identity", "ef9de00ad5a88517", asset14, sizeof asset14},
    {"console/index.html", "br", "94e91cbeb761d04f", asset15, sizeof asset15},
    {"console/index.html", "gzip", "94e91cbeb761d04f", asset16, sizeof asset16},
    {"console/index.html", "identity", "94e91cbeb761d04f", asset17, sizeof asset17},
    {"console/later.js", "br", "8ae39d03cddc2704", asset18, sizeof asset18},
    {"console/later.js", "gzip", "8ae39d03cddc2704", asset19, sizeof asset19},
    {"console/later.js", "identity", "8ae39d03cddc2704", asset20, sizeof asset20},
    {"console/main.js", "br", "6e2045471a156133", asset21, sizeof asset21},
    {"console/main.js", "gzip", "6e2045471a156133", asset22, sizeof asset22},
    {"console/main.js", "identity", "6e2045471a156133", asset23, sizeof asset23},
    {"list.d.ts", "br", "604348e55c3e036c", asset24, sizeof asset24},
    {"list.d.ts", "gzip", "604348e55c3e036c", asset25, sizeof asset25},
    {"list.d.ts", "identity", "604348e55c3e036c", asset26, sizeof asset26},
    {"list.js", "br", "96c71df2397ba5f8", asset27, sizeof asset27},
    {"list.js", "gzip", "96c71df2397ba5f8", asset28, sizeof asset28},
    {"list.js", "identity", "96c71df2397ba5f8", asset29, sizeof asset29},
    {"offline.d.ts", "br", "3d5d43507d9bdc0f", asset30, sizeof asset30},
    {"offline.d.ts", "gzip", "3d5d43507d9bdc0f", asset31, sizeof asset31},
    {"offline.d.ts", "identity", "3d5d43507d9bdc0f", asset32, sizeof asset32},
    {"offline.js", "br", "89003583d7029c30", asset33, sizeof asset33},
    {"offline.js", "gzip", "89003583d7029c30", asset34, sizeof asset34},
    {"offline.js", "identity", "89003583d7029c30", asset35, sizeof asset35},
};

const struct callboard_asset *callboard_asset_at(size_t position) {
    return position < sizeof assets / sizeof *assets ? &assets[position] : NULL;
}
